import type { TrustFile } from '@answer-evidence/contracts';
import { leafHash, verifyInclusion } from '@answer-evidence/merkle';
import { parseCheckpoint, parseNote, parseTlogProof, type VerifySignature } from '@answer-evidence/note';
import { requirePins, verifyPinned } from '../trusted-checkpoint.ts';
import { assertSame } from '../verdict.ts';

/**
 * Verifies that an entry is in the log, by its receipt. Returns the keys of the trust file that signed it, and
 * undefined without a trust file: then nothing says whose log it is. Throws what says why it is not.
 */
export async function verifyKeptLeaf(
  { entry, receipt }: { readonly entry: string; readonly receipt: string },
  origin: string | undefined,
  trust: TrustFile | undefined,
  verify: VerifySignature,
): Promise<readonly string[] | undefined> {
  const proof = parseTlogProof(receipt);
  const note = parseNote(proof.checkpoint);
  const checkpoint = parseCheckpoint(note.text);
  if (origin !== undefined) assertSame('the log of the receipt', origin, checkpoint.origin);
  verifyInclusion(proof.index, checkpoint.size, leafHash(entry), proof.hashes, checkpoint.root);
  if (trust === undefined) return undefined;
  return verifyPinned(note, checkpoint, requirePins(trust, checkpoint.origin), verify, 'ed25519-keys');
}
