/** One-shot SHA-256; a string is hashed as its UTF-8 bytes. */
type Sha256 = (input: Uint8Array | string) => Uint8Array;

/** One-shot HMAC-SHA-256 (RFC 2104); a string message is authenticated as its UTF-8 bytes. */
type HmacSha256 = (key: Uint8Array, message: Uint8Array | string) => Uint8Array;

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/** Builds HMAC-SHA-256 over any SHA-256, so that both entry points of the package share one construction. */
export function createHmacSha256(sha256: Sha256): HmacSha256 {
  return (key, message) => {
    const blockKey = key.length > BLOCK_BYTES ? sha256(key) : key;
    const body = typeof message === 'string' ? new TextEncoder().encode(message) : message;
    const inner = new Uint8Array(BLOCK_BYTES + body.length);
    const outer = new Uint8Array(BLOCK_BYTES + DIGEST_BYTES);
    for (let i = 0; i < BLOCK_BYTES; i++) {
      const byte = blockKey[i] ?? 0;
      inner[i] = byte ^ 0x36;
      outer[i] = byte ^ 0x5c;
    }
    inner.set(body, BLOCK_BYTES);
    outer.set(sha256(inner), BLOCK_BYTES);
    return sha256(outer);
  };
}
