import { hash, timingSafeEqual } from 'node:crypto';
import { createHmacSha256 } from './hmac.ts';

const DIGEST_BYTES = 32;

/**
 * SHA-256 (FIPS 180-4) of the bytes, or of the UTF-8 form of the string. The digest is taken over as a string of 32
 * one-byte characters: a Buffer's memory lies outside of the heap, and making it takes three times as long as the hash
 * itself.
 */
export function sha256(input: Uint8Array | string): Uint8Array {
  const characters = hash('sha256', input, 'binary');
  const digest = new Uint8Array(DIGEST_BYTES);
  for (let n = 0; n < DIGEST_BYTES; n++) digest[n] = characters.charCodeAt(n);
  return digest;
}

/** SHA-512 (FIPS 180-4) of the bytes. */
export function sha512(input: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha512', input, 'buffer'));
}

/** The same digest in lower-case hexadecimal, as Node writes it. */
export function sha256Hex(input: Uint8Array | string): string {
  return hash('sha256', input, 'hex');
}

/** HMAC-SHA-256 (RFC 2104) of the message under the key. */
export const hmacSha256 = createHmacSha256(sha256);

/** Whether two secrets or MACs are the same. Its time does not tell where they differ, only that lengths do. */
export function equalSecrets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
