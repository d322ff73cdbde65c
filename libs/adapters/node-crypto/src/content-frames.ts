import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { FRAME_TAG_BYTES, VaultError } from '@answer-evidence/ports';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;

/** One key and place, for the frames of one content. */
export type FrameCipher = { readonly key: KeyObject; readonly associated: Uint8Array };

/**
 * The nonce of a frame: its number from 0 in 11 bytes, big-endian, then 1 for the last frame and 0 for all others (as
 * STREAM does it, Hoang et al. 2015). No two frames under a key share one, so a frame opens only in its own place, and
 * only the last one as the last.
 */
function formatNonce(number: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(NONCE_BYTES);
  new DataView(nonce.buffer).setBigUint64(NONCE_BYTES - 9, BigInt(number));
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

/** Ciphertext ‖ tag. A number must be used once under a key. */
export function sealFrame(
  { key, associated }: FrameCipher,
  number: number,
  isLast: boolean,
  plaintext: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(ALGORITHM, key, formatNonce(number, isLast)).setAAD(associated);
  const sealed = new Uint8Array(plaintext.length + FRAME_TAG_BYTES);
  sealed.set(cipher.update(plaintext));
  // A stream mode: nothing is held back for the end.
  cipher.final();
  sealed.set(cipher.getAuthTag(), plaintext.length);
  return sealed;
}

/** What `sealFrame` sealed. Throws `VaultError` when it is another frame, of another content, or altered. */
export function openFrame(
  { key, associated }: FrameCipher,
  number: number,
  isLast: boolean,
  sealed: Uint8Array,
): Uint8Array {
  const decipher = createDecipheriv(ALGORITHM, key, formatNonce(number, isLast), { authTagLength: FRAME_TAG_BYTES });
  decipher.setAAD(associated);
  decipher.setAuthTag(sealed.subarray(sealed.length - FRAME_TAG_BYTES));
  const plaintext = decipher.update(sealed.subarray(0, sealed.length - FRAME_TAG_BYTES));
  try {
    decipher.final();
  } catch {
    plaintext.fill(0);
    throw new VaultError('a frame of a sealed content does not authenticate');
  }
  return plaintext;
}
