import { EncodingError } from './encoding-error.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const STANDARD = createAlphabet(LETTERS + '+/');
const URL_SAFE = createAlphabet(LETTERS + '-_');

type Alphabet = {
  /** Two characters for each 12-bit number: half the look-ups of one for each 6-bit number. */
  readonly pairs: readonly string[];
  /** The 6-bit number of an ASCII character; 64 for the rest. */
  readonly values: Uint8Array;
};

function createAlphabet(characters: string): Alphabet {
  const values = new Uint8Array(128).fill(64);
  for (let i = 0; i < 64; i++) values[characters.charCodeAt(i)] = i;
  const pairs: string[] = [];
  for (const high of characters) for (const low of characters) pairs.push(high + low);
  return { pairs, values };
}

/** Base64 with padding (RFC 4648 section 4). */
export function formatBase64(bytes: Uint8Array): string {
  const text = formatUnpadded(bytes, STANDARD);
  return text + '='.repeat((4 - (text.length % 4)) % 4);
}

/** URL-safe base64 without padding (RFC 4648 section 5). */
export function formatBase64Url(bytes: Uint8Array): string {
  return formatUnpadded(bytes, URL_SAFE);
}

/** Reads padded base64 and accepts only what `formatBase64` writes. Throws `EncodingError`. */
export function parseBase64(text: string): Uint8Array {
  if (text.length % 4 !== 0) throw new EncodingError('base64 text of the wrong length');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return parseUnpadded(text, text.length - padding, STANDARD);
}

/** Reads unpadded URL-safe base64 and accepts only what `formatBase64Url` writes. Throws `EncodingError`. */
export function parseBase64Url(text: string): Uint8Array {
  return parseUnpadded(text, text.length, URL_SAFE);
}

function formatUnpadded(bytes: Uint8Array, alphabet: Alphabet): string {
  const { pairs } = alphabet;
  const whole = bytes.length - (bytes.length % 3);
  let text = '';
  for (let i = 0; i < whole; i += 3) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += (pairs[bits >> 12] ?? '') + (pairs[bits & 0xfff] ?? '');
  }
  if (bytes.length - whole === 1) return text + (pairs[(bytes[whole] ?? 0) << 4] ?? '');
  if (bytes.length === whole) return text;
  const bits = ((bytes[whole] ?? 0) << 16) | ((bytes[whole + 1] ?? 0) << 8);
  return text + (pairs[bits >> 12] ?? '') + (pairs[bits & 0xfff] ?? '').charAt(0);
}

/** Reads the first `length` characters; the bits that fill up the last one must be zero, so that the form is unique. */
function parseUnpadded(text: string, length: number, alphabet: Alphabet): Uint8Array {
  if (length % 4 === 1) throw new EncodingError('base64 text of the wrong length');
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    const value = alphabet.values[text.charCodeAt(i)] ?? 64;
    if (value === 64) throw new EncodingError('a character is not of the base64 alphabet');
    bits = ((bits << 6) | value) & 0xfff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = bits >> held;
    }
  }
  if ((bits & ((1 << held) - 1)) !== 0) throw new EncodingError('base64 text is not canonical');
  return bytes;
}
