import { EncodingError } from './encoding-error.ts';
import { formatHex } from './hex.ts';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The canonical lower-case text of a 16-byte UUID (RFC 9562 section 4). */
export function formatUuid(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new EncodingError('a UUID has 16 bytes');
  const hex = formatHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether the text is a UUID of any version in its canonical lower-case form. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text);
}

/**
 * A UUIDv7 (RFC 9562 section 5.7) from Unix milliseconds and 10 random bytes, of which 74 bits are used. Ids of one
 * millisecond have no order among themselves.
 */
export function createUuidV7(unixMs: number, random: Uint8Array): string {
  if (!Number.isSafeInteger(unixMs) || unixMs < 0 || unixMs >= 2 ** 48) {
    throw new EncodingError('a UUIDv7 holds 48 bits of milliseconds');
  }
  if (random.length !== 10) throw new EncodingError('a UUIDv7 takes 10 random bytes');
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(unixMs / 0x1_0000_0000));
  view.setUint32(2, unixMs % 0x1_0000_0000);
  bytes.set(random, 6);
  bytes[6] = 0x70 | (view.getUint8(6) & 0x0f);
  bytes[8] = 0x80 | (view.getUint8(8) & 0x3f);
  return formatUuid(bytes);
}
