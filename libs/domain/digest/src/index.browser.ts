import { formatHex } from '@answer-evidence/encoding';
import { createHmacSha256 } from './hmac.ts';
import { sha256 } from './sha256.ts';

export { sha256 };
export { sha512 } from './sha512.ts';

/** The same digest in lower-case hexadecimal. */
export function sha256Hex(input: Uint8Array | string): string {
  return formatHex(sha256(input));
}

/** HMAC-SHA-256 (RFC 2104) of the message under the key. */
export const hmacSha256 = createHmacSha256(sha256);

/** Whether two secrets or MACs are the same. Its time does not tell where they differ, only that lengths do. */
export function equalSecrets(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let differing = 0;
  for (let n = 0; n < a.length; n++) differing |= (a[n] ?? 0) ^ (b[n] ?? 0);
  return differing === 0;
}
