import type { JsonValue } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { JSON_DEPTH_MAX } from '@answer-evidence/encoding';
import { endOfSpace, findListedBytes, findNumberedBytes, isDigit } from './loose-tokens.ts';

/** Begins what stands in the place of bytes that were written as numbers; the SHA-256 of the bytes follows. */
export const BYTES_BEGIN = 'bytes;sha256:';
/** Members that say what was said and by whom: which of two counts would depend on their order. */
const SAID: ReadonlySet<string> = new Set(['role', 'content', 'text', 'parts', 'messages', 'message', 'type']);

const NUMBER = /-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN|Infinity/y;
/** What goes on behind the digits of a number that is no integer. */
const GOES_ON = new Set(['.', 'e', 'E']);
/** Integers of so many digits are exact. */
const DIGITS_MAX = 15;
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
/** A string that says what it is without any escape, and holds nothing that must be one. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[^\\\u0000-\u001f]*$/;

/**
 * Reads JSON that is intact as far as its texts go: numbers that JSON has no form for are null, a byte-order mark is
 * passed over, of a key that occurs twice the last value counts, if it is no part of what was said or the values are
 * equal. Pictures that are written as numbers are skipped, and their hash is read. Undefined for what is not even that.
 * Takes time linear in the text, and little more than the native reader: a text may be a million brackets.
 */
export function parseLooseJson(text: string): JsonValue | undefined {
  let at = 0;

  function take(character: string): boolean {
    at = endOfSpace(text, at);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  }

  function readValue(depth: number): JsonValue {
    if (depth > JSON_DEPTH_MAX) throw new NotJson();
    at = endOfSpace(text, at);
    const first = text[at];
    if (first === '"') return readString();
    if (first === '[') return readBytes(findListedBytes(text, at)) ?? readArray(depth);
    if (first === '{') return readBytes(findNumberedBytes(text, at)) ?? readObject(depth);
    return isDigit(text.charCodeAt(at)) ? readNumber() : readWord();
  }

  function readNumber(): number | null {
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    if (end - at > DIGITS_MAX || GOES_ON.has(text[end] ?? '')) return readAnyNumber();
    const integer = Number(text.slice(at, end));
    at = end;
    return integer;
  }

  function readWord(): JsonValue {
    const word = WORDS.find(([written]) => text.startsWith(written, at));
    if (word === undefined) return readAnyNumber();
    at += word[0].length;
    return word[1];
  }

  function readAnyNumber(): number | null {
    NUMBER.lastIndex = at;
    const [number] = NUMBER.exec(text) ?? [];
    if (number === undefined) throw new NotJson();
    at = NUMBER.lastIndex;
    return Number.isFinite(Number(number)) ? Number(number) : null;
  }

  function readString(): string {
    let end = at;
    do {
      end = text.indexOf('"', end + 1);
      if (end < 0) throw new NotJson();
    } while (isEscaped(text, end));
    const inside = text.slice(at + 1, end);
    const literal = PLAIN.test(inside) ? undefined : text.slice(at, end + 1);
    at = end + 1;
    return literal === undefined ? inside : parseLiteral(literal);
  }

  /** The hash of bytes that stand here; undefined, and nothing read, where none do. */
  function readBytes(found: { readonly bytes: Uint8Array; readonly end: number } | undefined): string | undefined {
    if (found === undefined) return undefined;
    at = found.end;
    return BYTES_BEGIN + sha256Hex(found.bytes);
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
    const members: Record<string, JsonValue> = {};
    at += 1;
    if (take('}')) return members;
    do {
      at = endOfSpace(text, at);
      if (text[at] !== '"') throw new NotJson();
      const key = readString();
      if (!take(':')) throw new NotJson();
      const value = readValue(depth + 1);
      if (Object.hasOwn(members, key) && SAID.has(key) && JSON.stringify(members[key]) !== JSON.stringify(value))
        throw new NotJson();
      // A key like others, and to assign it would be to set a prototype.
      if (key === '__proto__')
        Object.defineProperty(members, key, { value, configurable: true, enumerable: true, writable: true });
      else members[key] = value;
    } while (take(','));
    if (!take('}')) throw new NotJson();
    return members;
  }

  try {
    const value = readValue(1);
    at = endOfSpace(text, at);
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
