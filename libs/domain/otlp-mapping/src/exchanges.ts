import type { JsonObject } from '@answer-evidence/contracts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from './json-value.ts';

/** Members of which the request or the response of a model's interface has one, beside the name of the model. */
const PARTS = ['messages', 'input', 'contents', 'choices', 'output', 'candidates', 'content'];

/**
 * The request or the response of a model's interface, if a text is JSON of one: an instrumentation may show it as a
 * whole, with instructions, tools and their results. Any other JSON is what somebody said.
 */
export function readExchange(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text) || !text.includes('"model"')) return undefined;
  const read = readJsonText(text, 'loose');
  if (read.kind !== 'json' || !isJsonObject(read.value) || typeof memberOf(read.value, 'model') !== 'string')
    return undefined;
  const { value } = read;
  return PARTS.some((name) => isJsonArray(memberOf(value, name))) || typeof memberOf(value, 'input') === 'string'
    ? value
    : undefined;
}
