import { EncodingError } from './encoding-error.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

/** Far above what `parseJson` lets in; ends the recursion on a value that contains itself. */
const DEPTH_MAX = 256;

/**
 * The JSON Canonicalization Scheme (RFC 8785): the one text whose UTF-8 bytes are hashed and signed for a value.
 * Throws `EncodingError` for whatever has no such text: lone surrogates, NaN, infinities, `undefined`, dates, class
 * instances. Unlike JSON.stringify it drops nothing and calls no `toJSON`.
 */
export function canonicalize(value: JsonValue): string {
  return formatValue(value, 0);
}

function formatValue(value: JsonValue, depth: number): string {
  switch (typeof value) {
    case 'string':
      return formatString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new EncodingError('a number is not finite');
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= DEPTH_MAX) throw new EncodingError('a value is nested too deeply, or contains itself');
      return isArray(value) ? formatArray(value, depth + 1) : formatObject(value, depth + 1);
    default:
      // Reachable: the types of values read back from a database or built by a caller are promises only.
      throw new EncodingError('a value is not JSON');
  }
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Text that is its own JSON form: most keys, ids and hashes, for which JSON.stringify would be half of the cost. */
const UNESCAPED = /^[ !#-[\]-~]*$/;

/** RFC 8785 section 3.2.2.2 is what JSON.stringify does, except that it escapes lone surrogates. */
function formatString(text: string): string {
  if (text.length < 100 && UNESCAPED.test(text)) return '"' + text + '"';
  if (!text.isWellFormed()) throw new EncodingError('a string contains an unpaired surrogate');
  return JSON.stringify(text);
}

function formatArray(items: readonly JsonValue[], depth: number): string {
  let out = '[';
  let separator = '';
  for (const item of items) {
    out += separator + formatValue(item, depth);
    separator = ',';
  }
  return out + ']';
}

function formatObject(members: JsonObject, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(members);
  // By shape and not by identity: an object from another realm has another Object.prototype.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new EncodingError('a value is not a plain object');
  }
  let out = '{';
  let separator = '';
  for (const key of sortNames(Object.keys(members))) {
    const member = members[key];
    if (member === undefined) throw new EncodingError('a member is undefined');
    out += separator + formatString(key) + ':' + formatValue(member, depth);
    separator = ',';
  }
  return out + '}';
}

/** Up to so many names, insertion is faster than the language's sort, which first copies them to its own memory. */
const FEW_NAMES = 24;

/** Sorts in place by UTF-16 code units, as RFC 8785 section 3.2.3 asks; a locale's order would be another. */
function sortNames(names: string[]): readonly string[] {
  if (names.length > FEW_NAMES) return names.sort();
  for (let n = 1; n < names.length; n++) {
    const name = names[n] as string;
    let at = n;
    for (; at > 0; at--) {
      const before = names[at - 1] as string;
      if (before <= name) break;
      names[at] = before;
    }
    names[at] = name;
  }
  return names;
}
