import { STATE_RULES } from '../dialects/mapping-table.ts';
import { isJsonArray, isJsonObject, readJsonText } from '../item/json-value.ts';
import { isFollowed, isPrinted, readPrintedTexts } from '../item/python-literals.ts';
import { findInState } from './framework-state.ts';

/** So many objects stand within each other at the most. */
const DEPTH_MAX = 3;

/**
 * What somebody asked in a text that may be no text of anybody: of JSON, and of an object or a dict of Python, what
 * stands at a place in it that is known; undefined where none is. Any other text is what was asked.
 */
export function findQuestionIn(text: string, depth = 0): string | undefined {
  const inJson = readJson(text);
  const found = inJson === undefined ? readPrinted(text) : inJson;
  if (found === undefined) return text;
  return found === null || depth === DEPTH_MAX ? undefined : findQuestionIn(found, depth + 1);
}

/** Null of JSON without such a place, or that was cut off; undefined of another text. */
function readJson(text: string): string | null | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const read = readJsonText(text, 'loose');
  if (read.kind === 'none') return /^\s*(?:\[\s*)?\{\s*"[^"]*"\s*:/.test(text) ? null : undefined;
  const { value } = read;
  // A list of numbers may be what somebody asks about.
  const isOfObjects = isJsonArray(value) && value.every((item) => typeof item === 'string' || isJsonObject(item));
  if (!isJsonObject(value) && !isOfObjects) return undefined;
  return findInState(value, 'question') || null;
}

function readPrinted(text: string): string | null | undefined {
  return isPrinted(text) && !isFollowed(text) ? (findPrintedQuestion(text) ?? null) : undefined;
}

/** What Python shows as a dict of texts: the member that is named as a question, or the only one. */
export function findPrintedQuestion(text: string): string | undefined {
  const texts = readPrintedTexts(text);
  const name = STATE_RULES.question.find((one) => texts?.has(one));
  const [only, ...more] = texts?.values() ?? [];
  const found = name === undefined ? (more.length === 0 ? only : undefined) : texts?.get(name);
  return found === '' ? undefined : found;
}
