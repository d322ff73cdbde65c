export { formatCheckpoint, parseCheckpoint, parseExtendedCheckpoint } from './checkpoint.ts';
export type { Checkpoint } from './checkpoint.ts';
export {
  cosignatureMessage,
  formatCosignature,
  formatCosignatureLine,
  parseCosignature,
  signCosignature,
  verifyCosignature,
} from './cosignature.ts';
export type { Cosignature } from './cosignature.ts';
export { evaluateQuorum, findQuorumTime, type QuorumTime } from './evaluate-quorum.ts';
export type { QuorumEvaluation } from './evaluate-quorum.ts';
export { formatFingerprint } from './fingerprint.ts';
export { NoteError } from './note-error.ts';
export { parseWitnessPolicy } from './parse-witness-policy.ts';
export { messageOfLogKey, signText, signTree } from './sign-tree.ts';
export type { TreeKey } from './sign-tree.ts';
export { formatNote, formatSignatureLine, NOTE_SIGNATURES_MAX, parseNote } from './signed-note.ts';
export type { NoteSignature, SignedNote } from './signed-note.ts';
export { formatTlogProof, parseTlogProof } from './tlog-proof.ts';
export type { TlogProof } from './tlog-proof.ts';
export { verifyCosignatures } from './verify-cosignatures.ts';
export type { VerifiedCosignature } from './verify-cosignatures.ts';
export { verifyNote } from './verify-note.ts';
export type { VerifySignature } from './verify-signature.ts';
export {
  algorithmOfLogKey,
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  createVkey,
  ED25519,
  findNamedKey,
  formatVkey,
  isLogKey,
  parseVkey,
} from './vkey.ts';
export type { Vkey } from './vkey.ts';
export { WitnessPolicyError } from './witness-policy.ts';
export { defaultQuorum, formatWitnessRows, readWitnessRows } from './witness-rows.ts';
export type { Quorum, WitnessRow, WitnessRows } from './witness-rows.ts';
export type { GroupThreshold, PolicyGroup, PolicyLog, PolicyWitness, WitnessPolicy } from './witness-policy.ts';
