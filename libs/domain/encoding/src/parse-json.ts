import { countColons } from './count-colons.ts';
import { getDuplicateKeyError } from './duplicate-key.ts';
import { hasMoreValues } from './has-more-values.ts';
import { JSON_DEPTH_MAX, JSON_SMALL_LENGTH, JSON_VALUES_MAX, JsonError } from './json-error.ts';
import type { JsonValue } from './json-value.ts';
import { nestsDeeper } from './nests-deeper.ts';
import { type MutableValue, readDocument } from './read-document.ts';
import { hasEscapedName } from './read-members.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads one untrusted JSON document: UTF-8 without a byte order mark, no duplicate keys, at most `JSON_DEPTH_MAX`
 * levels, no number that a double would round to another integer or to infinity, no U+0000 and no lone surrogate.
 * `-0` reads as 0. Throws `JsonError`.
 */
export function parseJson(bytes: Uint8Array): JsonValue {
  return parseJsonText(decode(bytes));
}

/** `parseJson` for submitted text: beyond `JSON_SMALL_LENGTH`, it first counts values up to `JSON_VALUES_MAX`. */
export function parseSubmittedJson(bytes: Uint8Array): JsonValue {
  const text = decode(bytes);
  if (text.length > JSON_SMALL_LENGTH && hasMoreValues(text, JSON_VALUES_MAX)) throw new JsonError('too_many_values');
  return parseJsonText(text);
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonError('malformed');
  }
}

/** `parseJson` for a document that is already text. Throws `JsonError`. */
export function parseJsonText(text: string): JsonValue {
  if (text.length > JSON_SMALL_LENGTH && nestsDeeper(text, JSON_DEPTH_MAX)) throw new JsonError('too_deep');
  const document = readDocument(text, JSON_DEPTH_MAX, hasEscapedName);
  // U+0000 is not allowed raw in JSON, so it and a surrogate in well-formed text can only come from a \u escape.
  const checksText = text.includes('\\u') || !text.isWellFormed();
  const seen: Walk = { path: [], members: 0, checksText };
  const value = checkValue(document, seen, 0);
  if (countColons(text) !== seen.members) throw getDuplicateKeyError(text, JSON_DEPTH_MAX);
  return value;
}

type Walk = { readonly path: (string | number)[]; members: number; readonly checksText: boolean };

/** Checks the value at `path[0..depth)`, and returns it, or 0 for -0. Recursion ends at `JSON_DEPTH_MAX`. */
function checkValue(value: MutableValue, walk: Walk, depth: number): MutableValue {
  if (typeof value === 'string') {
    if (walk.checksText) checkText(value, walk, depth);
  } else if (typeof value === 'number') {
    if (value === 0) return 0;
    // Infinity is no integer, so it needs its own question.
    if (Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
      throw new JsonError('number_out_of_range', walk.path.slice(0, depth));
    }
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= JSON_DEPTH_MAX) throw new JsonError('too_deep', walk.path.slice(0, depth));
    if (Array.isArray(value)) checkItems(value, walk, depth);
    else checkMembers(value, walk, depth);
  }
  return value;
}

function checkItems(items: MutableValue[], walk: Walk, depth: number): void {
  for (let i = 0; i < items.length; i++) {
    walk.path[depth] = i;
    const item = items[i];
    if (item !== undefined) items[i] = checkValue(item, walk, depth + 1);
  }
}

function checkMembers(members: { [key: string]: MutableValue }, walk: Walk, depth: number): void {
  const keys = Object.keys(members);
  walk.members += keys.length;
  for (const key of keys) {
    if (walk.checksText) checkText(key, walk, depth);
    walk.path[depth] = key;
    const member = members[key];
    if (member === 0) {
      members[key] = 0;
    } else if (member !== undefined) {
      checkValue(member, walk, depth + 1);
    }
  }
}

function checkText(text: string, walk: Walk, depth: number): void {
  if (text.includes('\0')) throw new JsonError('nul_character', walk.path.slice(0, depth));
  if (!text.isWellFormed()) throw new JsonError('lone_surrogate', walk.path.slice(0, depth));
}
