import type { JsonObject } from '@answer-evidence/contracts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';

/** Members of which the request or the response of a model's interface has one, beside the name of the model. */
const PARTS = ['messages', 'input', 'contents', 'choices', 'output', 'candidates', 'content'];

/**
 * The request or the response of a model's interface, if a text is JSON of one: an instrumentation may show it as a
 * whole, with instructions, tools and their results. Any other JSON is what somebody said.
 */
export function readExchange(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text) || !/"(?:model|choices|candidates|contents)"/.test(text)) return undefined;
  const read = readJsonText(text, 'loose');
  if (read.kind !== 'json' || !isJsonObject(read.value)) return undefined;
  const { value } = read;
  if (typeof memberOf(value, 'model') !== 'string') return isUnnamed(value) ? value : undefined;
  return PARTS.some((name) => isJsonArray(memberOf(value, name))) || typeof memberOf(value, 'input') === 'string'
    ? value
    : undefined;
}

/** If the first item of such a list has an object of this name, or the parts of a message, no model need be named. */
const LISTS = [
  ['choices', 'message'],
  ['candidates', 'content'],
  ['contents', 'parts'],
] as const;

function isUnnamed(value: JsonObject): boolean {
  return LISTS.some(([list, member]) => {
    const items = memberOf(value, list);
    const [first] = isJsonArray(items) ? items : [];
    const inner = isJsonObject(first) ? memberOf(first, member) : undefined;
    return isJsonObject(inner) || (member === 'parts' && isJsonArray(inner));
  });
}
