import { hash } from 'node:crypto';
import { createHmacSha256 } from './hmac.ts';

/** SHA-256 (FIPS 180-4) of the bytes, or of the UTF-8 form of the string. */
export function sha256(input: Uint8Array | string): Uint8Array {
  const digest = hash('sha256', input, 'buffer');
  // Not the Buffer itself: its `slice` shares memory and its JSON form differs from that of a Uint8Array.
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.byteLength);
}

/** HMAC-SHA-256 (RFC 2104) of the message under the key. */
export const hmacSha256 = createHmacSha256(sha256);
