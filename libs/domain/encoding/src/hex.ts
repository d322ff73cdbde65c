import { formatAscii } from './ascii.ts';
import { EncodingError } from './encoding-error.ts';

/** Lower-case hexadecimal, two digits a byte. */
export function formatHex(bytes: Uint8Array): string {
  const codes = new Array<number>(2 * bytes.length);
  for (let n = 0; n < bytes.length; n++) {
    const byte = bytes[n] ?? 0;
    codes[2 * n] = digitCode(byte >> 4);
    codes[2 * n + 1] = digitCode(byte & 15);
  }
  return formatAscii(codes);
}

/** The character code of the digit of a number below 16. */
export function digitCode(value: number): number {
  return value < 10 ? 0x30 + value : 0x57 + value;
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
