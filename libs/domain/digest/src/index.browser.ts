import { formatHex } from '@answer-evidence/encoding';
import { createHmacSha256 } from './hmac.ts';
import { sha256 } from './sha256.ts';

export { sha256 };

/** The same digest in lower-case hexadecimal. */
export function sha256Hex(input: Uint8Array | string): string {
  return formatHex(sha256(input));
}

/** HMAC-SHA-256 (RFC 2104) of the message under the key. */
export const hmacSha256 = createHmacSha256(sha256);
