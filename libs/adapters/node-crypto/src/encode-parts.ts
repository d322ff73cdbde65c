const encoder = new TextEncoder();

/**
 * Bytes of a list of values that no other list has: each value is its type, its length in bytes as a big-endian 32-bit number,
 * and itself; numbers stand as decimal text.
 */
export function encodeParts(parts: readonly (string | number | Uint8Array)[]): Uint8Array {
  const pieces = parts.map((part) => ({
    tag: typeof part === 'string' ? 0x73 : typeof part === 'number' ? 0x6e : 0x62,
    bytes: part instanceof Uint8Array ? part : encoder.encode(String(part)),
  }));
  const encoded = new Uint8Array(pieces.reduce((size, { bytes }) => size + 5 + bytes.length, 0));
  const view = new DataView(encoded.buffer);
  let at = 0;
  for (const { tag, bytes } of pieces) {
    view.setUint8(at, tag);
    view.setUint32(at + 1, bytes.length);
    encoded.set(bytes, at + 5);
    at += 5 + bytes.length;
  }
  return encoded;
}
