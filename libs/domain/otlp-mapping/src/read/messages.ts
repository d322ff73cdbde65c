import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { FEEDBACK } from '../dialects/wording-tables.ts';
import { CONTENTS } from '../dialects/writing-tables.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';
import { readObject } from '../item/written-object.ts';
import { joinTexts, nameBinaryPart, textOfPart } from './text-parts.ts';
import { endsWithCall, isToolPart, readToolCall, readWrittenCalls, type ToolCall, UNKNOWN_CALL } from './tool-calls.ts';

/** A message of a conversation, as far as it is read: its text parts, and the tools that it asks for. */
export type Message = {
  /** In lower case; null where it does not say. */
  readonly role: string | null;
  /** Its text parts, joined. Empty for a message without text. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** It has an empty text and nothing else, such as an image. */
  readonly isBlank?: boolean;
  /** Names its first picture or file by its hash, where it is a user's and has no text. */
  readonly binary?: string;
};

const USER_ROLES: ReadonlySet<string> = new Set(['user', 'human']);
/** Roles of messages that no model answered with. */
const INPUT_ROLES: ReadonlySet<string> = new Set([...USER_ROLES, 'system', 'developer', 'tool', 'function']);

/**
 * The question of a conversation: its last message of a user that has text, or its last one without a role. Where calls
 * of tools are hidden, what stands behind a message of a model without text is not one.
 */
export function selectQuestion(messages: readonly Message[], areCallsHidden = false): string | undefined {
  const shown = areCallsHidden ? withoutHiddenResults(messages) : withoutResults(messages);
  const withText = shown.filter(({ text }) => text !== '' && !isFeedback(text));
  const asked = withText.findLast(({ role }) => role !== null && USER_ROLES.has(role));
  const pictured = shown.findLast(({ binary }) => binary !== undefined);
  const at = pictured === undefined ? -1 : shown.indexOf(pictured);
  // A text beside it, in a message of its own, is the question.
  const isAsked = at > (asked === undefined ? -1 : shown.indexOf(asked)) && shown[at - 1] !== asked;
  if (pictured?.binary !== undefined && (isAsked || asked === undefined)) return pictured.binary;
  return (asked ?? withText.findLast(({ role }) => role === null))?.text;
}

function isUser(role: string | null): boolean {
  return role !== null && USER_ROLES.has(role);
}

/** So many results of tools are told from answers and questions that follow them. */
const RESULTS_MAX = 2;

/**
 * Messages without results of tools at their end, where an instrumentation calls every author a user: they stand behind
 * the message by which the model asked for them, whose text is empty.
 */
function withoutResults(messages: readonly Message[]): readonly Message[] {
  if (messages.length < 3 || !messages.every(({ role }) => role === 'user')) return messages;
  const asking = messages.findLastIndex(({ isBlank = false }) => isBlank);
  const results = messages.length - 1 - asking;
  return asking > 0 && results > 0 && results <= RESULTS_MAX ? messages.slice(0, asking) : messages;
}

/** Messages without those that end them behind one by which a model asked for a tool, without words. */
function withoutHiddenResults(messages: readonly Message[]): readonly Message[] {
  const asking = messages.findLastIndex(({ role }) => role !== null && !INPUT_ROLES.has(role));
  return messages[asking]?.isBlank === true ? messages.slice(0, asking) : messages;
}

/** Whether a framework says a text in the name of the user. */
function isFeedback(text: string): boolean {
  return FEEDBACK.some((pattern) => pattern.test(text));
}

/**
 * The answer among output messages: the first one with text after the last that requests a tool. The conventions have
 * one message per choice, so this is the first choice. If an agent shows every turn, it is the turn that ends them; a
 * text before or beside the request of a tool, which may be a message of its own, is no answer yet.
 */
export function selectAnswer(messages: readonly Message[]): string | undefined {
  return findAnswers(messages)[0];
}

/** The answer among the messages of a run, which may show the whole conversation: what was said last. */
export function selectLastAnswer(messages: readonly Message[]): string | undefined {
  return findAnswers(messages).at(-1);
}

function findAnswers(messages: readonly Message[]): readonly string[] {
  const asking = messages.findLastIndex(({ toolCalls }) => toolCalls.length > 0);
  const said = messages.slice(asking + 1).filter(({ role }) => role === null || !INPUT_ROLES.has(role));
  return said.flatMap(({ text }) => (text === '' ? [] : [text]));
}

/** The tools that a model asked for since the last message of a user. */
export function selectToolCalls(messages: readonly Message[]): readonly ToolCall[] {
  const asked = messages.findLastIndex(({ role, text }) => role !== null && USER_ROLES.has(role) && text !== '');
  return messages.slice(asked + 1).flatMap(({ toolCalls }) => toolCalls);
}

/**
 * The messages in a value. It may be a message, a list of messages, an object with such a list as `messages`, a list of
 * parts, or a text. A text that is a JSON object or array of these is read as JSON.
 */
export function readMessages(value: JsonValue): readonly Message[] {
  if (typeof value === 'string') return readTextMessages(value);
  if (isJsonArray(value)) return readList(value);
  if (!isJsonObject(value)) return [];
  const messages = memberOf(value, 'messages');
  if (isJsonArray(messages)) return readList(messages);
  const inner = memberOf(value, 'message');
  if (isJsonObject(inner)) return [readMessage(inner)];
  if (typeof inner === 'string') return [{ role: roleOf(value), text: inner, toolCalls: readToolCalls(value) }];
  return [readMessage(value)];
}

function readTextMessages(text: string): readonly Message[] {
  if (/^\s*[[{]/.test(text)) {
    const read = readJsonText(text, 'loose');
    if (read.kind === 'json' && isConversation(read.value)) return readMessages(read.value);
    if (read.kind === 'none' && /^\["[^]*"\]$/.test(text)) return readJoinedTexts(text);
  }
  return [{ role: null, text, toolCalls: [] }];
}

/** What stands for a control character in a text of JSON. */
const escape = (character: string) => JSON.stringify(character).slice(1, -1);

/** Texts that were put together by quotes alone: line feeds are read as such, but not quotes within a text. */
function readJoinedTexts(text: string): readonly Message[] {
  const read = readJsonText(text.replaceAll(/\p{Cc}/gu, escape), 'loose');
  return read.kind === 'json' && isConversation(read.value) ? readMessages(read.value) : [];
}

/** Whether a JSON document is of messages or parts; another one is a text that somebody wrote. */
function isConversation(value: JsonValue): boolean {
  if (isJsonArray(value)) {
    const isOfTexts = value.every(isTextOrNone) && value.some((item) => item !== null);
    const isOfMessages = value.every((item) => isPart(item) || isMessage(item));
    // The tools that a model asked for may stand between the messages.
    return value.length > 0 && (isOfTexts || isOfMessages || value.some(hasRole));
  }
  return isMessage(value) || (isJsonObject(value) && isJsonArray(memberOf(value, 'messages')));
}

/** In a list of texts, of a message that has none. */
function isTextOrNone(item: JsonValue): item is string | null {
  return item === null || typeof item === 'string';
}

function hasRole(value: JsonValue): boolean {
  return isJsonObject(value) && typeof memberOf(value, 'role') === 'string' && memberOf(value, 'content') !== undefined;
}

function isMessage(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  return ['role', 'parts', 'message', 'tool_calls'].some((name) => memberOf(value, name) !== undefined);
}

/**
 * Texts alone. That a model asked for a tool, and the result, have a text each, of
 * which the second is empty: neither is anybody's.
 */
function readTexts(texts: readonly string[]): readonly Message[] {
  let end = texts.length;
  while (end > 2 && texts[end - 1] === '') end -= 2;
  return texts.slice(0, end).map((text) => ({ role: null, text, toolCalls: [] }));
}

function readList(items: readonly JsonValue[]): readonly Message[] {
  const texts = items.filter(isTextOrNone);
  const written = texts.map((text) => (text?.startsWith('{') === true ? readObject(text) : undefined));
  // Attributes cannot hold objects, so each message may be JSON by itself.
  if (
    written.length > 0 &&
    written.length === items.length &&
    written.every((one) => one !== undefined && isMessage(one))
  )
    return readList(written.filter((one) => one !== undefined));
  if (texts.length > 0 && texts.length === items.length) return readTexts(texts.map((text) => text ?? ''));
  if (items.length > 0 && items.every(isPart)) {
    return [{ role: null, ...readParts(items) }];
  }
  const ended = items.findLastIndex(hasEnded);
  let begun = '';
  return items.flatMap((item, n) => {
    if (typeof item === 'string') return [{ role: null, text: item, toolCalls: [] }];
    if (!isJsonObject(item)) return [];
    // A text of a person may stand without the message around it.
    if (isBareText(item)) return [{ role: null, ...readParts([item]) }];
    const message = readMessage(unwrapChoice(item));
    const text = begun + message.text;
    const isPiece = memberOf(item, 'finish_reason') === '' && n < ended;
    begun = isPiece ? text : '';
    return isPiece ? [] : [{ ...message, text }];
  });
}

function isBareText(item: JsonObject): boolean {
  const [only, ...more] = Object.keys(item);
  return only === 'text' && more.length === 0;
}

/** The message of a choice; any other object is a message itself. */
function unwrapChoice(item: JsonObject): JsonObject {
  const inner = memberOf(item, 'message');
  return isJsonObject(inner) && memberOf(item, 'role') === undefined ? { ...item, ...inner } : item;
}

/** Whether a message says why it ended. One before it that does not is a piece of a stream. */
function hasEnded(item: JsonValue): boolean {
  const reason = isJsonObject(item) ? memberOf(item, 'finish_reason') : undefined;
  return typeof reason === 'string' && reason !== '';
}

function readMessage(message: JsonObject): Message {
  const reason = memberOf(message, 'finish_reason');
  const { text, toolCalls } = readContents(message);
  // An agent whose answer is an object may end so, too; what is said beside a call is none.
  const isHidden = toolCalls.length === 0 && endsWithCall(reason) && readObject(text) === undefined;
  // What stands in the place of an answer after an error was written by no model.
  return {
    role: roleOf(message),
    text: reason === 'error' ? '' : text,
    toolCalls: isHidden ? [UNKNOWN_CALL] : toolCalls,
    ...(hasBlankText(message) && { isBlank: true }),
    ...(text === '' && isUser(roleOf(message)) && nameBinary(message)),
  };
}

/** The name of the first picture or file of a message, by its hash, if it has one. */
export function nameBinary(message: JsonObject): Pick<Message, 'binary'> {
  const contents = findContents(message);
  const named = (isJsonArray(contents) ? contents : [contents]).map(nameBinaryPart);
  const binary = named.find((name) => name !== undefined);
  return binary === undefined ? {} : { binary };
}

function findContents(message: JsonObject): JsonValue {
  return CONTENTS.map((name) => memberOf(message, name)).find((member) => member !== undefined) ?? null;
}

/** Whether a message has one text, which is empty, and no other part. */
function hasBlankText(message: JsonObject): boolean {
  const contents = findContents(message);
  const [only = null, ...more] = isJsonArray(contents) ? contents : [contents];
  if (!isJsonObject(only)) return only === '' && more.length === 0;
  const text = memberOf(only, 'content') ?? memberOf(only, 'text');
  return more.length === 0 && memberOf(only, 'type') === 'text' && text === '';
}

/** What a message says and asks for, in its parts or beside them. A model that refuses may say so beside them, too. */
export function readContents(message: JsonObject): Pick<Message, 'text' | 'toolCalls'> {
  const role = roleOf(message);
  const { text, toolCalls } = readParts(findContents(message), role !== null && !INPUT_ROLES.has(role));
  const refusal = memberOf(message, 'refusal');
  const isRefused = text === '' && typeof refusal === 'string';
  return { text: isRefused ? refusal : text, toolCalls: [...toolCalls, ...readToolCalls(message)] };
}

/** The text of a message's parts, or of its content; anything but a text or a list has none. */
function readParts(parts: JsonValue, isOfModel = false): Pick<Message, 'text' | 'toolCalls'> {
  if (typeof parts === 'string') {
    const toolCalls = readWrittenCalls(parts);
    return { text: toolCalls.length === 0 ? parts : '', toolCalls };
  }
  if (isJsonObject(parts) && isPart(parts)) return readParts([parts], isOfModel);
  if (!isJsonArray(parts)) return { text: '', toolCalls: [] };
  return { text: joinTexts(parts.map(textOfPart), isOfModel), toolCalls: parts.filter(isToolPart).map(readToolCall) };
}

function roleOf(message: JsonObject): string | null {
  const role = memberOf(message, 'role');
  return typeof role === 'string' && role !== '' ? role.toLowerCase() : null;
}

/** The tools that a message asks for beside its parts. */
function readToolCalls(message: JsonObject): readonly ToolCall[] {
  const calls = memberOf(message, 'tool_calls');
  return isJsonArray(calls) ? calls.map(readToolCall) : [];
}

/** What a part may hold beside texts, as its only member. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...['image', 'document', 'video', 'audio', 'toolUse', 'toolResult', 'cachePoint', 'reasoningContent', 'guardContent'],
]);

/** A part has a type and no role, or is nothing but a text or a block. */
function isPart(value: JsonValue): boolean {
  if (!isJsonObject(value) || memberOf(value, 'role') !== undefined) return false;
  const [only, ...more] = Object.keys(value);
  const isBlock = only !== undefined && more.length === 0 && (BLOCKS.has(only) || typeof value['text'] === 'string');
  return isBlock || typeof memberOf(value, 'type') === 'string';
}
