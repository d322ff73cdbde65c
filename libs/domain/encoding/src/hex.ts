import { EncodingError } from './encoding-error.ts';

const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal, two digits a byte. */
export function formatHex(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += PAIRS[bytes[i] ?? 0];
  return text;
}

/** Reads lower-case hexadecimal, of exactly `sizeBytes` bytes when given. Throws `EncodingError`. */
export function parseHex(text: string, sizeBytes?: number): Uint8Array {
  const size = text.length / 2;
  if (!Number.isInteger(size) || (sizeBytes !== undefined && size !== sizeBytes)) {
    throw new EncodingError('hexadecimal text of the wrong length');
  }
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    const high = digitValue(text.charCodeAt(2 * i));
    const low = digitValue(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) throw new EncodingError('not lower-case hexadecimal');
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

function digitValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  return unit >= 0x61 && unit <= 0x66 ? unit - 0x57 : -1;
}
