import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { utf8 } from '@answer-evidence/encoding';
import { VaultError } from '@answer-evidence/ports';
import { systemRandom } from './random.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** By how much what is sealed is longer than what it was made of. */
export const SEALING_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * The associated data of a ciphertext: its purpose, and the ids and names of its place. Each is preceded by its length,
 * so two different lists never give the same text. Throws `EncodingError` for ill-formed Unicode.
 */
export function formatAssociated(purpose: string, ...place: readonly string[]): string {
  let text = `${purpose.length}:${purpose}`;
  for (const part of place) text += `${part.length}:${part}`;
  if (!text.isWellFormed()) utf8(text);
  return text;
}

/**
 * AES-256-GCM under a random 96-bit nonce: nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes). Random nonces limit a key to
 * 2^32 messages (NIST SP 800-38D section 8.3).
 */
export function seal(key: KeyObject, associated: string, plaintext: Uint8Array): Uint8Array {
  const nonce = systemRandom.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(Buffer.from(associated));
  const ciphertext = cipher.update(plaintext);
  // A stream mode: nothing is held back for the end.
  cipher.final();
  const sealed = new Uint8Array(SEALING_BYTES + ciphertext.length);
  sealed.set(nonce);
  sealed.set(ciphertext, NONCE_BYTES);
  sealed.set(cipher.getAuthTag(), NONCE_BYTES + ciphertext.length);
  return sealed;
}

/** What `seal` sealed, in memory of its own. Throws `VaultError` when key, associated data or any byte differs. */
export function unseal(key: KeyObject, associated: string, sealed: Uint8Array): Uint8Array {
  if (sealed.length < SEALING_BYTES) throw new VaultError('a sealed value is too short');
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associated));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const plaintext = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    plaintext.fill(0);
    throw new VaultError('a sealed value does not authenticate');
  }
  // The memory that OpenSSL wrote to, and no copy: anyone who erases a key that was unsealed erases the only one.
  return new Uint8Array(plaintext.buffer, plaintext.byteOffset, plaintext.byteLength);
}
