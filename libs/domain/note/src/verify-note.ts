import { utf8 } from '@answer-evidence/encoding';
import { NoteError } from './note-error.ts';
import type { SignedNote } from './signed-note.ts';
import { ED25519, findNamedKey, type Vkey } from './vkey.ts';

/**
 * Whether the signature is one of the message by the public key: 32 bytes of Ed25519 (RFC 8032), or 1,312 of ML-DSA-44
 * (FIPS 204, without a context).
 */
export type VerifySignature = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

const SIGNATURE_BYTES = 64;

/**
 * Verifies the note against the trusted keys, all of type Ed25519, and returns those that signed it, each once, in
 * the order of the note. Signatures by other keys are ignored; one bad signature in a trusted key's name rejects the
 * whole note, and so does the absence of any good one. Throws `NoteError`.
 */
export async function verifyNote(
  note: SignedNote,
  vkeys: readonly Vkey[],
  verify: VerifySignature,
): Promise<readonly Vkey[]> {
  if (vkeys.some((vkey) => vkey.type !== ED25519)) throw new NoteError('a trusted key is not an Ed25519 key');
  const message = utf8(note.text);
  const signers: Vkey[] = [];
  for (const signature of note.signatures) {
    const vkey = findNamedKey(vkeys, signature.name, signature.keyId);
    if (vkey === undefined) continue;
    const hasForm = signature.signature.length === SIGNATURE_BYTES;
    if (!hasForm || !(await verify(vkey.publicKey, message, signature.signature))) {
      throw new NoteError('a signature by a trusted key is invalid');
    }
    if (!signers.includes(vkey)) signers.push(vkey);
  }
  if (signers.length === 0) throw new NoteError('no trusted key signed the note');
  return signers;
}
