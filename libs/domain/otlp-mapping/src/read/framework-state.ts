import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import type { ContentRule } from '../dialects/content-rule.ts';
import { STATE_RULES } from '../dialects/mapping-table.ts';
import {
  BOXES,
  CONTENTS,
  DOCUMENT_MEMBERS,
  FILLED,
  MESSAGE_WRAPPERS,
  PROMPTS_OF_PARTS,
  ROLES,
  SOURCES,
  TURNS,
  TYPED_BOXES,
} from '../dialects/writing-tables.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';
import { isPrinted } from '../item/python-literals.ts';
import { type Message, nameBinary, readContents, selectQuestion } from './messages.ts';
import { joinPartlyPrinted, readPrintedMessage } from './printed-messages.ts';
import { isCommand } from './resumption.ts';
import { readToolCall } from './tool-calls.ts';

/** Deeper than frameworks wrap what they call with: the arguments of a function in the inputs of a run, for example. */
export const STATE_DEPTH_MAX = 6;

/** What stands at a place of a state that a rule names: a text, or the messages of a conversation. */
type Located = string | readonly Message[];

/**
 * The question or the answer in the JSON with which a framework describes a call: what chains, graphs and decorated
 * functions were given and gave back. Only a place that `STATE_RULES` names counts; anything else in it, such
 * as results of tools and retrieved documents, is no text of the conversation.
 */
export function findInState(state: JsonValue, to: ContentRule['to']): string | undefined {
  const located = locate(state, to, 0);
  if (located === undefined || typeof located === 'string') return located;
  return to === 'question' ? selectQuestion(located) : selectEnd(located);
}

/** The messages of the conversation in such a state, if it has one. */
export function findMessagesInState(state: JsonValue, to: ContentRule['to']): readonly Message[] {
  const located = locate(state, to, 0);
  return located === undefined || typeof located === 'string' ? [] : located;
}

function locate(value: JsonValue, to: ContentRule['to'], depth: number): Located | undefined {
  if (typeof value === 'string') return locateInText(value);
  if (depth > STATE_DEPTH_MAX) return undefined;
  const inner = unwrapTyped(value);
  if (inner !== undefined) return locate(inner, to, depth + 1);
  const conversation = readConversation(value);
  if (conversation !== undefined) return conversation;
  if (isJsonArray(value)) return (to === 'answer' ? joinPieces(value) : undefined) ?? locateInArray(value, to, depth);
  return isJsonObject(value) && !isDocument(value) ? locateInObject(value, to, depth + 1) : undefined;
}

/** What an object says the type of, `{type: 'json', value: …}`; what it wraps a value in, as its only member. */
export function unwrapTyped(value: JsonValue): JsonValue | undefined {
  const [only, ...more] = isJsonObject(value) ? Object.keys(value) : [];
  if (!isJsonObject(value) || only === undefined || more.length > 1) return undefined;
  if (more.length === 0) return BOXES.includes(only) ? memberOf(value, only) : undefined;
  const box = TYPED_BOXES.find(({ type }) => typeof memberOf(value, type) === 'string');
  return box === undefined ? undefined : memberOf(value, box.value);
}

/** Whether an object is a document, or a piece of one, whose text nobody said. */
export function isDocument(value: JsonObject): boolean {
  const has = (...names: readonly string[]) => names.some((name) => memberOf(value, name) !== undefined);
  // The response of a model may have these members, too, and no text there.
  const hasText = ['text', 'content'].some((name) => typeof memberOf(value, name) === 'string');
  return has(...DOCUMENT_MEMBERS) || (hasText && has('metadata', 'meta') && has('id_', 'id', 'doc_id', 'node_id'));
}

/** A text, unless it shows an object. A message that was written as JSON within the state is one all the same. */
function locateInText(text: string): Located | undefined {
  const printed = readPrintedMessage(text);
  if (printed !== undefined) return [printed];
  if (text === '' || isPrinted(text)) return undefined;
  const read = /^\s*[[{]/.test(text) ? readJsonText(text, 'loose') : undefined;
  if (read?.kind !== 'json') return text;
  return readConversation(read.value) ?? joinPartlyPrinted(read.value) ?? text;
}

/** What the pieces of a stream say, behind the last that asks for a tool. */
function joinPieces(items: readonly JsonValue[]): string | undefined {
  if (!items.every((item) => isJsonObject(item) && memberOf(item, 'object') === 'chat.completion.chunk'))
    return undefined;
  const deltas = items.map((item) => {
    const choices = isJsonObject(item) ? memberOf(item, 'choices') : undefined;
    const first = isJsonArray(choices) ? choices[0] : undefined;
    return isJsonObject(first) ? memberOf(first, 'delta') : undefined;
  });
  const pieces = deltas.filter(isJsonObject);
  const asking = pieces.findLastIndex((piece) => isJsonArray(memberOf(piece, 'tool_calls')));
  const texts = pieces.slice(asking + 1).map((piece) => memberOf(piece, 'content'));
  return texts.filter((text) => typeof text === 'string').join('') || undefined;
}

/** The only item of an array. A list of texts that is the whole state is of documents or parts of them. */
function locateInArray(
  [only, ...more]: readonly JsonValue[],
  to: ContentRule['to'],
  depth: number,
): Located | undefined {
  if (only === undefined || more.length > 0 || (depth === 0 && typeof only === 'string')) return undefined;
  return locate(only, to, depth + 1);
}

function locateInObject(value: JsonObject, to: ContentRule['to'], depth: number): Located | undefined {
  const args = memberOf(value, 'args');
  const kwargs = memberOf(value, 'kwargs');
  const isCall = isJsonObject(kwargs) || (kwargs === undefined && Object.keys(value).length === 1);
  if (isJsonArray(args) && isCall) {
    const named = isJsonObject(kwargs) ? kwargs : {};
    const all = [...args, ...Object.values(named)];
    return locateNamed(named, to, depth) ?? locateOnly(all, to, depth);
  }
  const members = Object.values(value);
  const [only, ...others] = members.filter(isFilled);
  const found = locateNamed(value, to, depth) ?? locateInComponents(members, to, depth);
  // What goes in has the name of the application's own variable; what comes out is not a text for being the only one.
  const isAlone = typeof only === 'string' && others.length === 0 && !isPrinted(only);
  return found ?? (to === 'question' && isAlone && !isCommand(value) ? only : undefined);
}

/** Whether a member has a value: what a run fills in later has none when it begins. */
function isFilled(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** What a function was asked, if only one of its arguments holds it; the others may be options. */
function locateOnly(given: readonly JsonValue[], to: ContentRule['to'], depth: number): Located | undefined {
  const [only, ...more] = given.map((value) => locate(value, to, depth)).filter((located) => located !== undefined);
  return more.length === 0 ? only : undefined;
}

/** Most components of a pipeline that are looked into, and how deep they stand. */
const COMPONENTS_MAX = 32;
const COMPONENTS_DEPTH_MAX = 3;

/** Each component of a pipeline may have an object of its own: the first name that only one text has counts. */
function locateInComponents(members: readonly JsonValue[], to: ContentRule['to'], depth: number): Located | undefined {
  if (depth > COMPONENTS_DEPTH_MAX || members.length > COMPONENTS_MAX || !members.every(isJsonObject)) return undefined;
  if (members.some(isDocument)) return undefined;
  for (const name of STATE_RULES[to]) {
    const found = members.map((member) => locate(memberOf(member, name) ?? null, to, depth + 1));
    const [first, ...others] = new Set(found.filter((located) => located !== undefined));
    if (first !== undefined) return others.length === 0 ? first : undefined;
  }
  const [only] = members;
  return members.length === 1 && only !== undefined ? locate(only, to, depth + 1) : undefined;
}

function locateNamed(value: JsonObject, to: ContentRule['to'], depth: number): Located | undefined {
  const prompts = to === 'question' ? PROMPTS_OF_PARTS.map((name) => memberOf(value, name)) : [];
  const prompt = prompts.find((one) => one !== undefined && isJsonArray(one));
  if (prompt !== undefined && isJsonArray(prompt)) return joinTexts(prompt);
  const filled = to === 'question' ? findFilled(value) : undefined;
  if (filled !== undefined) return locateNamed(filled, to, depth);
  for (const name of STATE_RULES[to]) {
    const found = locate(memberOf(value, name) ?? null, to, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is filled into a template that stands beside it. */
function findFilled(value: JsonObject): JsonObject | undefined {
  for (const { template, values, variable } of FILLED) {
    const [prompt, filled] = [memberOf(value, template), memberOf(value, values)];
    if (isJsonObject(filled) && typeof prompt === 'string' && variable.test(prompt)) return filled;
  }
  return undefined;
}

function joinTexts(parts: readonly JsonValue[]): string | undefined {
  const texts = parts.flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** The answer at the end of a conversation; none where it ends with a tool, or with a model that asks for one. */
function selectEnd(conversation: readonly Message[]): string | undefined {
  const last = conversation.at(-1);
  return last?.role === 'assistant' && last.toolCalls.length === 0 && last.text !== '' ? last.text : undefined;
}

/** A message, or a list of them, alone or under one of the names for it; undefined for any other value. */
function readConversation(value: JsonValue): readonly Message[] | undefined {
  const given = isJsonObject(value) ? (memberOf(value, 'messages') ?? memberOf(value, 'contents') ?? value) : value;
  const messages: Message[] = [];
  for (const item of listOf(given)) {
    const message = readMessage(item) ?? readNamedResult(item, messages);
    if (message === undefined) return undefined;
    messages.push(message);
  }
  return messages.length > 0 ? messages : undefined;
}

/** The result of a tool whose author is the tool by its name. */
function readNamedResult(value: JsonValue, before: readonly Message[]): Message | undefined {
  const role = isJsonObject(value) ? memberOf(value, 'role') : undefined;
  const isAsked = before.some(({ toolCalls }) => toolCalls.some(({ name }) => name === role));
  return typeof role === 'string' && isAsked ? { role: 'tool', text: '', toolCalls: [] } : undefined;
}

/** The messages of a value; a call of several conversations at once has a list of lists. */
function listOf(value: JsonValue): readonly JsonValue[] {
  if (!isJsonArray(value)) return [value];
  const [only] = value;
  return value.length === 1 && isJsonArray(only) && readMessage(only) === undefined ? only : value;
}

const MESSAGE_MEMBERS = [...CONTENTS, 'tool_calls'];

/** A message as a framework writes it, plain or wrapped; or a role and a text; or as Python shows it. */
function readMessage(value: JsonValue): Message | undefined {
  if (typeof value === 'string') return readPrintedMessage(value);
  if (isJsonArray(value)) {
    const [name, content, ...more] = value;
    const role = typeof name === 'string' ? ROLES.get(name.toLowerCase()) : undefined;
    const isPair = role !== undefined && typeof content === 'string' && more.length === 0;
    return isPair ? { role, text: content, toolCalls: [] } : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const turn = readTurn(value) ?? readItem(value);
  if (turn !== undefined) return turn;
  const inner = MESSAGE_WRAPPERS.map((name) => memberOf(value, name)).find(isJsonObject) ?? value;
  const role = findRole(inner) ?? findRole(value);
  // The content of a message that names a tool is an object, too.
  const message = [inner, value].find((one) => MESSAGE_MEMBERS.some((name) => memberOf(one, name) !== undefined));
  if (role === undefined || message === undefined) return undefined;
  const read = readContents(message);
  return { role, ...read, ...(role === 'user' && read.text === '' && nameBinary(message)) };
}

/** Tools that the server of a model runs within an answer. */
const SERVER_CALLS = /^(?:web_search|file_search|code_interpreter|image_generation|mcp)_call$/;

/** An item of a response that is no message: the call of a tool, its result, or a thought. */
function readItem(value: JsonObject): Message | undefined {
  const type = memberOf(value, 'type');
  if (typeof type !== 'string' || memberOf(value, 'role') !== undefined) return undefined;
  if (type === 'reasoning' || SERVER_CALLS.test(type)) return { role: 'assistant', text: '', toolCalls: [] };
  if (memberOf(value, 'call_id') === undefined) return undefined;
  if (type.endsWith('_call_output')) return { role: 'tool', text: '', toolCalls: [] };
  if (!type.endsWith('_call')) return undefined;
  const call = readToolCall(value);
  // Other forms of the same call leave empty arguments out.
  return { role: 'assistant', text: '', toolCalls: [call.args === '{}' ? { ...call, args: null } : call] };
}

/** A message in which every part is of somebody, by the kinds that a framework gives them. */
function readTurn(value: JsonObject): Message | undefined {
  for (const { parts: name, kind, texts: ofKinds, call, ofModel } of TURNS) {
    const parts = memberOf(value, name);
    if (!isJsonArray(parts) || parts.length === 0) continue;
    const kinds = parts.map((part) => (isJsonObject(part) ? memberOf(part, kind) : undefined));
    const authors = kinds.map((one) => (typeof one === 'string' && Object.hasOwn(ofKinds, one) ? ofKinds[one] : null));
    if (kinds.some((one) => typeof one !== 'string')) continue;
    const isModels = memberOf(value, ofModel.key) === ofModel.value;
    const role = isModels ? 'assistant' : authors.includes('user') ? 'user' : 'tool';
    const texts = parts.filter((_, n) => authors[n] === role).map(textOfPart);
    const calls = parts.filter((_, n) => kinds[n] === call).map(readToolCall);
    return { role, text: texts.filter((text) => text !== '').join('\n'), toolCalls: calls };
  }
  return undefined;
}

function textOfPart(part: JsonValue): string {
  const content = isJsonObject(part) ? memberOf(part, 'content') : undefined;
  return isJsonArray(content) ? (joinTexts(content) ?? '') : typeof content === 'string' ? content : '';
}

/** The author of a message that names its source and its type. */
function findSource(message: JsonObject): string | undefined {
  const [source, type] = [memberOf(message, 'source'), memberOf(message, 'type')];
  if (typeof source !== 'string' || typeof type !== 'string') return undefined;
  const known = SOURCES.find(({ types }) => types.test(type));
  if (known === undefined) return undefined;
  return type === known.said ? (source === known.person ? 'user' : 'assistant') : 'tool';
}

function findRole(message: JsonObject): string | undefined {
  const source = findSource(message);
  if (source !== undefined) return source;
  const id = memberOf(message, 'id');
  const names = [memberOf(message, 'role'), memberOf(message, 'type'), isJsonArray(id) ? id.at(-1) : undefined];
  return names
    .map((name) => (typeof name === 'string' ? ROLES.get(name.toLowerCase()) : undefined))
    .find((role) => role !== undefined);
}
