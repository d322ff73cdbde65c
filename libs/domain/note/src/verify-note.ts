import { utf8 } from '@answer-evidence/encoding';
import { verifyCosignature } from './cosignature.ts';
import { NoteError } from './note-error.ts';
import type { SignedNote } from './signed-note.ts';
import type { VerifySignature } from './verify-signature.ts';
import { COSIGNATURE_ML_DSA_44, findNamedKey, isLogKey, type Vkey } from './vkey.ts';

const SIGNATURE_BYTES = 64;

/**
 * Verifies the note against the trusted keys, each of a type that logs sign with, and returns those that signed it,
 * each once, in the order of the note. Signatures by other keys are ignored; one bad signature in a trusted key's name
 * rejects the whole note, and so does the absence of any good one. Throws `NoteError`.
 */
export async function verifyNote(
  note: SignedNote,
  vkeys: readonly Vkey[],
  verify: VerifySignature,
): Promise<readonly Vkey[]> {
  if (!vkeys.every(isLogKey)) throw new NoteError('a trusted key is not an Ed25519 or ML-DSA-44 key of a log');
  const message = utf8(note.text);
  const signers: Vkey[] = [];
  for (const signature of note.signatures) {
    const vkey = findNamedKey(vkeys, signature.name, signature.keyId);
    if (vkey === undefined) continue;
    await verifyLogSignature(note.text, message, vkey, signature.signature, verify);
    if (!signers.includes(vkey)) signers.push(vkey);
  }
  if (signers.length === 0) throw new NoteError('no trusted key signed the note');
  return signers;
}

/** A log signs with ML-DSA-44 as a cosigner of its own trees (C2SP tlog-checkpoint). */
async function verifyLogSignature(
  text: string,
  message: Uint8Array,
  vkey: Vkey,
  signature: Uint8Array,
  verify: VerifySignature,
): Promise<void> {
  if (vkey.type === COSIGNATURE_ML_DSA_44) {
    await verifyCosignature(text, vkey, signature, verify).catch((cause: unknown) => {
      if (!(cause instanceof NoteError)) throw cause;
      throw new NoteError('the ML-DSA-44 signature by a trusted key is invalid');
    });
  } else if (signature.length !== SIGNATURE_BYTES || !(await verify(vkey.publicKey, message, signature))) {
    throw new NoteError('a signature by a trusted key is invalid');
  }
}
