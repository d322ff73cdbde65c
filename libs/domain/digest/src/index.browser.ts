import { createHmacSha256 } from './hmac.ts';
import { sha256 } from './sha256.ts';

export { sha256 };

/** HMAC-SHA-256 (RFC 2104) of the message under the key. */
export const hmacSha256 = createHmacSha256(sha256);
