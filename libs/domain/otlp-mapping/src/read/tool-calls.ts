import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { CALL_ARGUMENTS, CALL_NAMES, CALL_WRAPPERS } from '../dialects/writing-tables.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';

/** That a model asked for a tool. Null is what the call does not say, in a form that is known here. */
export type ToolCall = { readonly name: string | null; readonly args: JsonValue };

/** Types of parts that ask for a tool; a server's own tools run within the answer and do not count. */
const PART_TYPES: ReadonlySet<string> = new Set(['tool_call', 'tool_use', 'function_call', 'tool-call']);

/** A call of which nothing is said. */
export const UNKNOWN_CALL: ToolCall = { name: null, args: null };

/** Whether a message ended because it asks for a tool, which it may not show. */
export function endsWithCall(finishReason: unknown): boolean {
  return typeof finishReason === 'string' && /^tool_?(?:calls?|use|execution)$/i.test(finishReason);
}

/** Whether a part of a message asks for a tool. */
export function isToolPart(part: JsonValue): part is JsonObject {
  if (!isJsonObject(part)) return false;
  const type = memberOf(part, 'type') ?? memberOf(part, 'block_type');
  return typeof type === 'string' ? PART_TYPES.has(type) : findWrapped(part) !== undefined;
}

/** A call in the form of a part, or of an item of `tool_calls`. */
export function readToolCall(call: JsonValue): ToolCall {
  if (!isJsonObject(call)) return { name: null, args: null };
  const inner = findWrapped(call);
  if (inner !== undefined) return readToolCall(inner);
  const name = firstOf(call, CALL_NAMES);
  return { name: typeof name === 'string' ? name : null, args: firstOf(call, CALL_ARGUMENTS) ?? null };
}

function findWrapped(call: JsonObject): JsonObject | undefined {
  return CALL_WRAPPERS.map((name) => memberOf(call, name)).find(isJsonObject);
}

function firstOf(object: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names.map((name) => memberOf(object, name)).find((member) => member !== undefined && !isJsonArray(member));
}

/** Calls that an instrumentation wrote as the text of the message that asks for them; any other text has none. */
export function readWrittenCalls(text: string): readonly ToolCall[] {
  if (!/^(?:\[\{"|\{"(?:name|arguments)":)/.test(text)) return [];
  const read = readJsonText(text, 'loose');
  if (read.kind !== 'json') return [];
  if (!isJsonArray(read.value)) return isBareCall(read.value) ? [readToolCall(read.value)] : [];
  return read.value.every(isFunctionCall) ? read.value.map(readToolCall) : [];
}

/** The name of a tool and JSON of its arguments, and nothing else. */
function isBareCall(value: JsonValue): boolean {
  if (!isJsonObject(value) || Object.keys(value).length !== 2 || typeof memberOf(value, 'name') !== 'string')
    return false;
  const args = memberOf(value, 'arguments');
  return typeof args === 'string' && /^\s*\{[^]*\}\s*$/.test(args);
}

function isFunctionCall(value: JsonValue): boolean {
  const called =
    isJsonObject(value) && memberOf(value, 'type') === 'function' ? memberOf(value, 'function') : undefined;
  return isJsonObject(called) && ['name', 'arguments'].every((name) => typeof memberOf(called, name) === 'string');
}
