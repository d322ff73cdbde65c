import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { isJsonArray, isJsonObject, memberOf } from './json-value.ts';
import { type ContentRule, STATE_RULES } from './mapping-table.ts';
import { hasToolCalls, type Message, readParts, selectQuestion } from './messages.ts';

/** A text; null where the state says that there is none; undefined where no rule names a place in it. */
type Found = string | null | undefined;

/** Deeper than frameworks wrap what they call with: the arguments of a function in the inputs of a run, for example. */
const STATE_DEPTH_MAX = 6;

/**
 * The question or the answer in the JSON with which a framework describes a call: what LangChain, LangGraph and
 * decorated functions were given and gave back. Only a place that `STATE_RULES` names counts; anything else in it, such
 * as results of tools and retrieved documents, is no text of the conversation.
 */
export function findInState(state: JsonValue, to: ContentRule['to']): string | undefined {
  return findAt(state, to, 0) ?? undefined;
}

function findAt(value: JsonValue, to: ContentRule['to'], depth: number): Found {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (depth > STATE_DEPTH_MAX) return undefined;
  const conversation = readConversation(value);
  if (conversation !== undefined)
    return (to === 'question' ? selectQuestion(conversation) : selectEnd(conversation)) ?? null;
  if (isJsonArray(value)) return value.length === 1 ? findAt(value[0] ?? null, to, depth + 1) : undefined;
  return isJsonObject(value) ? findInObject(value, to, depth + 1) : undefined;
}

function findInObject(value: JsonObject, to: ContentRule['to'], depth: number): Found {
  const args = memberOf(value, 'args');
  const kwargs = memberOf(value, 'kwargs');
  if (isJsonArray(args) && isJsonObject(kwargs)) {
    const all = [...args, ...Object.values(kwargs)];
    return all.length === 1 ? findAt(all[0] ?? null, to, depth) : findInObject(kwargs, to, depth);
  }
  for (const name of STATE_RULES[to]) {
    const found = findAt(memberOf(value, name) ?? null, to, depth);
    if (found !== undefined) return found;
  }
  const members = Object.values(value);
  const [only] = members;
  return members.length === 1 && typeof only === 'string' ? only : undefined;
}

/** The answer at the end of a conversation; none where it ends with a tool, or with a model that asks for one. */
function selectEnd(conversation: readonly Message[]): string | undefined {
  const last = conversation.at(-1);
  return last?.role === 'assistant' && !last.callsTool && last.text !== '' ? last.text : undefined;
}

/** A message, or a list of them, alone or as `messages`; undefined for any other value. */
function readConversation(value: JsonValue): readonly Message[] | undefined {
  const given = isJsonObject(value) ? (memberOf(value, 'messages') ?? value) : value;
  const messages = listOf(given).map(readMessage);
  return messages.length > 0 && messages.every((message) => message !== undefined) ? messages : undefined;
}

/** The messages of a value; a call of several conversations at once has a list of lists. */
function listOf(value: JsonValue): readonly JsonValue[] {
  if (!isJsonArray(value)) return [value];
  const [only] = value;
  return value.length === 1 && isJsonArray(only) && readMessage(only) === undefined ? only : value;
}

/** What LangChain and others call the authors of messages, in lower case. */
const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  humanmessage: 'user',
  humanmessagechunk: 'user',
  user: 'user',
  ai: 'assistant',
  aimessage: 'assistant',
  aimessagechunk: 'assistant',
  assistant: 'assistant',
  model: 'assistant',
  system: 'system',
  systemmessage: 'system',
  developer: 'system',
  tool: 'tool',
  toolmessage: 'tool',
  toolmessagechunk: 'tool',
  function: 'tool',
  functionmessage: 'tool',
  remove: 'tool',
};

/** A message as LangChain writes it: plain, in `data`, or as a constructor with `kwargs`; or a role and a text. */
function readMessage(value: JsonValue): Message | undefined {
  if (isJsonArray(value)) {
    const [name, content, ...more] = value;
    const role = typeof name === 'string' ? ROLES[name.toLowerCase()] : undefined;
    const isPair = role !== undefined && typeof content === 'string' && more.length === 0;
    return isPair ? { role, text: content, callsTool: false } : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const inner = ['data', 'kwargs'].map((name) => memberOf(value, name)).find(isJsonObject) ?? value;
  const role = findRole(inner) ?? findRole(value);
  const content = memberOf(inner, 'content');
  if (role === undefined || content === undefined) return undefined;
  const { text, callsTool } = readParts(content);
  return { role, text, callsTool: callsTool || hasToolCalls(inner) };
}

function findRole(message: JsonObject): string | undefined {
  const id = memberOf(message, 'id');
  const names = [memberOf(message, 'role'), memberOf(message, 'type'), isJsonArray(id) ? id.at(-1) : undefined];
  return names
    .map((name) => (typeof name === 'string' ? ROLES[name.toLowerCase()] : undefined))
    .find((role) => role !== undefined);
}
