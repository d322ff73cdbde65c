import { EncodingError } from './encoding-error.ts';
import { digitCode } from './hex.ts';

const HYPHEN = 0x2d;
const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The canonical lower-case text of a 16-byte UUID (RFC 9562 section 4). */
export function formatUuid(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new EncodingError('a UUID has 16 bytes');
  const h = (n: number): number => digitCode((bytes[n] ?? 0) >> 4);
  const l = (n: number): number => digitCode((bytes[n] ?? 0) & 15);
  // One call with a fixed list of arguments is compiled to a few stores; an id is made for every request.
  // prettier-ignore
  return String.fromCharCode(
    h(0), l(0), h(1), l(1), h(2), l(2), h(3), l(3), HYPHEN, h(4), l(4), h(5), l(5), HYPHEN,
    h(6), l(6), h(7), l(7), HYPHEN, h(8), l(8), h(9), l(9), HYPHEN,
    h(10), l(10), h(11), l(11), h(12), l(12), h(13), l(13), h(14), l(14), h(15), l(15),
  );
}

/** Whether the text is a UUID of any version in its canonical lower-case form. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text);
}

/** A UUIDv7 (RFC 9562 section 5.7) from Unix milliseconds and 10 random bytes; unordered within a millisecond. */
export function createUuidV7(unixMs: number, random: Uint8Array): string {
  if (!Number.isSafeInteger(unixMs) || unixMs < 0 || unixMs >= 2 ** 48) {
    throw new EncodingError('a UUIDv7 holds 48 bits of milliseconds');
  }
  if (random.length !== 10) throw new EncodingError('a UUIDv7 takes 10 random bytes');
  const bytes = new Uint8Array(16);
  const above = Math.floor(unixMs / 0x1_0000_0000);
  bytes[0] = above >> 8;
  bytes[1] = above;
  const below = unixMs % 0x1_0000_0000;
  for (let n = 0; n < 4; n++) bytes[2 + n] = below >>> (24 - 8 * n);
  for (let n = 0; n < 10; n++) bytes[6 + n] = random[n] ?? 0;
  bytes[6] = 0x70 | ((random[0] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((random[2] ?? 0) & 0x3f);
  return formatUuid(bytes);
}
