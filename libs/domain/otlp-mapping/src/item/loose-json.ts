import type { JsonValue } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { JSON_DEPTH_MAX } from '@answer-evidence/encoding';

/** Begins what stands in the place of bytes that were written as numbers; the SHA-256 of the bytes follows. */
export const BYTES_BEGIN = 'bytes;sha256:';
/** So many numbers of a byte each are bytes: a picture, and not a list that somebody wrote. */
export const BYTES_MIN = 256;
/** Members that say what was said and by whom: which of two counts would depend on their order. */
const SAID: ReadonlySet<string> = new Set(['role', 'content', 'text', 'parts', 'messages', 'message', 'type']);

const SPACE = /[\s\uFEFF]*/y;
const NUMBER = /-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN|Infinity/y;
const WORD = /true|false|null/y;
/** Bytes as JavaScript writes a `Buffer`, and as it writes another array of bytes. */
const BYTE = /\s*(\d{1,3})\s*(,|\])/y;
const NUMBERED_BYTE = /\s*"(\d{1,8})"\s*:\s*(\d{1,3})\s*(,|\})/y;

/**
 * Reads JSON that is intact as far as its texts go: numbers that JSON has no form for are null, a byte-order mark is
 * passed over, of a key that occurs twice the last value counts, if it is no part of what was said or the values are
 * equal. Pictures that are written as numbers are skipped, and their hash is read. Undefined for what is not even that.
 * Takes time linear in the text.
 */
export function parseLooseJson(text: string): JsonValue | undefined {
  let at = 0;

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  }

  function take(character: string): boolean {
    match(SPACE);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  }

  function readValue(depth: number): JsonValue {
    if (depth > JSON_DEPTH_MAX) throw new NotJson();
    match(SPACE);
    const first = text[at];
    if (first === '"') return readString();
    if (first === '[') return readBytes(BYTE) ?? readArray(depth);
    if (first === '{') return readBytes(NUMBERED_BYTE) ?? readObject(depth);
    const word = match(WORD)?.[0];
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    const number = match(NUMBER)?.[0];
    if (number === undefined) throw new NotJson();
    return Number.isFinite(Number(number)) ? Number(number) : null;
  }

  function readString(): string {
    let end = at;
    do {
      end = text.indexOf('"', end + 1);
      if (end < 0) throw new NotJson();
    } while (isEscaped(text, end));
    const literal = text.slice(at, end + 1);
    at = end + 1;
    return parseLiteral(literal);
  }

  /** The bytes that stand here as numbers, by their hash; undefined, and nothing read, where none do. */
  function readBytes(pattern: RegExp): string | undefined {
    const start = at;
    const bytes: number[] = [];
    at += 1;
    for (;;) {
      const found = match(pattern);
      const isNumbered = found?.length === 4;
      const byte = Number(found?.[isNumbered ? 2 : 1]);
      if (found === null || byte > 255 || (isNumbered && Number(found[1]) !== bytes.length)) break;
      bytes.push(byte);
      if (found.at(-1) === ',') continue;
      if (bytes.length < BYTES_MIN) break;
      return BYTES_BEGIN + sha256Hex(Uint8Array.from(bytes));
    }
    at = start;
    return undefined;
  }

  function readArray(depth: number): JsonValue {
    const items: JsonValue[] = [];
    at += 1;
    if (take(']')) return items;
    do items.push(readValue(depth + 1));
    while (take(','));
    if (!take(']')) throw new NotJson();
    return items;
  }

  function readObject(depth: number): JsonValue {
    // Entries and not assignments, so that `__proto__` is a key like others.
    const members = new Map<string, JsonValue>();
    at += 1;
    if (take('}')) return {};
    do {
      match(SPACE);
      if (text[at] !== '"') throw new NotJson();
      const key = readString();
      if (!take(':')) throw new NotJson();
      const value = readValue(depth + 1);
      if (members.has(key) && SAID.has(key) && JSON.stringify(members.get(key)) !== JSON.stringify(value))
        throw new NotJson();
      members.set(key, value);
    } while (take(','));
    if (!take('}')) throw new NotJson();
    return Object.fromEntries(members);
  }

  try {
    const value = readValue(1);
    match(SPACE);
    return at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

class NotJson extends Error {}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function parseLiteral(literal: string): string {
  try {
    // A string of JSON, whose end is known; its error quotes the input, so it goes no further.
    // oxlint-disable-next-line no-restricted-properties
    return String(JSON.parse(literal));
  } catch {
    throw new NotJson();
  }
}
