import type { JsonValue } from '@answer-evidence/contracts';
import type { ContentRule } from '../dialects/content-rule.ts';
import { KEYED, ROLES } from '../dialects/writing-tables.ts';
import { isAttributeList } from '../item/attribute-lookup.ts';
import { isJsonArray, isJsonObject, readJsonText } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { isPrinted } from '../item/python-literals.ts';
import { findInState } from './framework-state.ts';
import { type Message, readContents } from './messages.ts';
import { readToolCall, type ToolCall } from './tool-calls.ts';

/**
 * The messages of a call that are named after their authors: a list, or one of them. A message is JSON of an object
 * whose only member is named after its author: a text, or the tools that a model asked for. What is no JSON is a text
 * of somebody; any other JSON is the state of a framework.
 */
export function readKeyedMessages(value: AttributeValue, to: ContentRule['to']): readonly Message[] {
  const given = isAttributeList(value) ? value : [value];
  return given.flatMap((one) => (typeof one === 'string' && one !== '' ? readOne(one, to) : []));
}

function readOne(text: string, to: ContentRule['to']): readonly Message[] {
  const json = parse(text);
  if (json === undefined) return isPrinted(text) ? [] : [{ role: null, text, toolCalls: [] }];
  const members = isJsonObject(json) ? Object.entries(json) : [];
  if (members.some(([name]) => KEYED.some(({ call }) => call === name))) return [readSaid('assistant', json)];
  const [only, ...more] = members;
  const author = only === undefined || more.length > 0 ? undefined : authorOf(only[0]);
  if (only !== undefined && author !== undefined) return [readSaid(author, only[1])];
  const found = findInState(json, to);
  return found === undefined ? [] : [{ role: null, text: found, toolCalls: [] }];
}

/** Tools that a model asks for may stand beside no author. */
function authorOf(name: string): string | undefined {
  return KEYED.some(({ calls }) => calls === name) ? 'assistant' : ROLES.get(name.toLowerCase());
}

/** A text, parts of a message, or the tools that a model asked for, which may stand in a text of JSON. */
function readSaid(role: string, said: JsonValue): Message {
  if (typeof said === 'string') {
    const toolCalls = role === 'assistant' ? readCalls(parse(said)) : [];
    return { role, text: toolCalls.length > 0 ? '' : said, toolCalls };
  }
  const content = isJsonArray(said) ? said.map(parseItem) : said;
  const { text, toolCalls } = readContents({ content });
  if (role !== 'assistant' || text !== '' || toolCalls.length > 0) return { role, text, toolCalls };
  return { role, text: '', toolCalls: (isJsonArray(content) ? content : [content]).map(readToolCall) };
}

/** A list of calls that each name a tool; any other JSON is the text of an answer. */
function readCalls(value: JsonValue = null): readonly ToolCall[] {
  const calls = isJsonArray(value) ? value.map(readToolCall) : [];
  return calls.every(({ name }) => name !== null) ? calls : [];
}

function parseItem(item: JsonValue): JsonValue {
  return typeof item === 'string' ? (parse(item) ?? item) : item;
}

function parse(text: string): JsonValue | undefined {
  const read = /^\s*[[{]/.test(text) ? readJsonText(text, 'loose') : undefined;
  return read?.kind === 'json' ? read.value : undefined;
}
