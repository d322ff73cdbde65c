import { countColons } from './count-colons.ts';
import { getDuplicateKeyError } from './duplicate-key.ts';
import { JsonError } from './json-error.ts';
import type { JsonValue } from './json-value.ts';
import { type MutableValue, readDocument } from './read-document.ts';
import { hasEscapedName } from './read-members.ts';

/** What a scan of the text has found. It is believed when the text is JSON. */
export type JsonOutline = {
  /** Colons outside of strings. */
  readonly colons: number;
  /** Whether the name of a member is written with an escape. */
  readonly hasEscapedName: boolean;
};

/**
 * Reads a document of a format that others have defined, and that says itself which texts and numbers it takes: these
 * are as the native reader has them, also lone surrogates, U+0000, -0, and integers that a double rounds. No duplicate
 * keys and at most `depthMax` levels. Anyone who has scanned the text already says what was found, and saves as much
 * time as reading it takes. Throws `JsonError`.
 */
export function parseForeignJsonText(text: string, depthMax: number, outline?: JsonOutline): JsonValue {
  const document = readDocument(text, depthMax, outline === undefined ? hasEscapedName : () => outline.hasEscapedName);
  // The native reader keeps the last of equal keys in silence, and each member has one colon.
  const colons = outline === undefined ? countColons(text) : outline.colons;
  if (countMembers(document, depthMax) !== colons) throw getDuplicateKeyError(text, depthMax);
  return document;
}

/** Members of all objects. Recursion ends at `depthMax`. */
function countMembers(value: MutableValue, depthMax: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depthMax === 0) throw new JsonError('too_deep');
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += countMembers(item, depthMax - 1);
    return members;
  }
  for (const key of Object.keys(value)) members += 1 + countMembers(value[key] ?? null, depthMax - 1);
  return members;
}
