/** So many numbers of a byte each are bytes: a picture, and not a list that somebody wrote. */
export const BYTES_MIN = 256;

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [BYTE_DIGITS_MAX, POSITION_DIGITS_MAX] = [3, 8];
const WIDE_SPACE = /\s/;

/** Behind the white space, a byte-order mark included, that begins there. */
export function endOfSpace(text: string, at: number): number {
  let end = at;
  while (isSpace(text.charCodeAt(end))) end += 1;
  return end;
}

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return WIDE_SPACE.test(String.fromCharCode(code));
}

/** Whether a code is that of a digit of ASCII. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Bytes, and what stands behind them. */
type Found = { readonly bytes: Uint8Array; readonly end: number };

/** Bytes in a list of numbers that begins there; undefined where it is another list. */
export function findListedBytes(text: string, at: number): Found | undefined {
  return findBytes(text, at, OPEN_BRACKET, CLOSE_BRACKET);
}

/** Bytes as JavaScript writes an array of them: each is named by its position. */
export function findNumberedBytes(text: string, at: number): Found | undefined {
  return findBytes(text, at, OPEN_BRACE, CLOSE_BRACE);
}

/** They are counted before they are kept: most lists are short. */
function findBytes(text: string, start: number, open: number, close: number): Found | undefined {
  const isNumbered = open === OPEN_BRACE;
  let count = 0;
  let at = start;
  do {
    at = isNumbered ? behindPosition(text, at + 1, count) : endOfSpace(text, at + 1);
    const end = endOfDigits(text, at, BYTE_DIGITS_MAX);
    if (end === at || valueOf(text, at, end) > 255) return undefined;
    count += 1;
    at = endOfSpace(text, end);
  } while (text.charCodeAt(at) === COMMA);
  if (text.charCodeAt(at) !== close || count < BYTES_MIN) return undefined;
  return { bytes: readBytes(text, start, isNumbered, count), end: at + 1 };
}

/** The bytes that were counted. */
function readBytes(text: string, start: number, isNumbered: boolean, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  let at = start;
  for (let n = 0; n < count; n++) {
    at = isNumbered ? behindPosition(text, at + 1, n) : endOfSpace(text, at + 1);
    const end = endOfDigits(text, at, BYTE_DIGITS_MAX);
    bytes[n] = valueOf(text, at, end);
    at = endOfSpace(text, end);
  }
  return bytes;
}

/** Where the value begins that is named by this position; the end of the text, where there is no value, if none is. */
function behindPosition(text: string, from: number, position: number): number {
  const quote = endOfSpace(text, from);
  if (text.charCodeAt(quote) !== QUOTE) return text.length;
  const end = endOfDigits(text, quote + 1, POSITION_DIGITS_MAX);
  if (end === quote + 1 || valueOf(text, quote + 1, end) !== position) return text.length;
  if (text.charCodeAt(end) !== QUOTE) return text.length;
  const colon = endOfSpace(text, end + 1);
  return text.charCodeAt(colon) === COLON ? endOfSpace(text, colon + 1) : text.length;
}

function endOfDigits(text: string, at: number, most: number): number {
  let end = at;
  while (end - at < most && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function valueOf(text: string, at: number, end: number): number {
  let value = 0;
  for (let n = at; n < end; n++) value = value * 10 + text.charCodeAt(n) - 0x30;
  return value;
}
