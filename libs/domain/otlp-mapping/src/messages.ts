import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from './json-value.ts';

/** A message of a conversation, as far as it is read: its text parts, and whether it asks for a tool. */
export type Message = {
  /** In lower case; null where it does not say. */
  readonly role: string | null;
  /** Text parts, joined by line feeds. Empty for a message without text. */
  readonly text: string;
  readonly callsTool: boolean;
};

const USER_ROLES: ReadonlySet<string> = new Set(['user', 'human']);
/** Roles of messages that no model answered with. */
const INPUT_ROLES: ReadonlySet<string> = new Set([...USER_ROLES, 'system', 'developer', 'tool', 'function']);

/** The question of a conversation: its last message of a user that has text, or its last one without a role. */
export function selectQuestion(messages: readonly Message[]): string | undefined {
  const withText = messages.filter(({ text }) => text !== '');
  const asked = withText.findLast(({ role }) => role !== null && USER_ROLES.has(role));
  return (asked ?? withText.findLast(({ role }) => role === null))?.text;
}

/**
 * The answer among output messages: the first one that has text and requests no tool. The conventions have one message
 * per choice, so this is the first choice. If an agent shows every turn, it is the turn that ends them.
 */
export function selectAnswer(messages: readonly Message[]): string | undefined {
  return messages.find(({ role, text, callsTool }) => {
    return text !== '' && !callsTool && (role === null || !INPUT_ROLES.has(role));
  })?.text;
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
  if (typeof inner === 'string') return [{ role: roleOf(value), text: inner, callsTool: hasToolCalls(value) }];
  return [readMessage(value)];
}

function readTextMessages(text: string): readonly Message[] {
  if (/^\s*[[{]/.test(text)) {
    const read = readJsonText(text, 'loose');
    if (read.kind === 'json' && isConversation(read.value)) return readMessages(read.value);
  }
  return [{ role: null, text, callsTool: false }];
}

/** Whether a JSON document is of messages or parts; another one is a text that somebody wrote. */
function isConversation(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length > 0 && value.every((item) => isPart(item) || isMessage(item));
  return isMessage(value) || (isJsonObject(value) && isJsonArray(memberOf(value, 'messages')));
}

function isMessage(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  return ['role', 'parts', 'message', 'tool_calls'].some((name) => memberOf(value, name) !== undefined);
}

function readList(items: readonly JsonValue[]): readonly Message[] {
  if (items.length > 0 && items.every(isPart)) {
    return [{ role: null, text: joinParts(items), callsTool: items.some(isToolPart) }];
  }
  return items.flatMap((item) => {
    if (typeof item === 'string') return [{ role: null, text: item, callsTool: false }];
    return isJsonObject(item) ? [readMessage(item)] : [];
  });
}

function readMessage(message: JsonObject): Message {
  const { text, callsTool } = readParts(memberOf(message, 'parts') ?? memberOf(message, 'content') ?? null);
  return { role: roleOf(message), text, callsTool: callsTool || hasToolCalls(message) };
}

/** The text of a message's parts, or of its content; anything but a text or a list has none. */
export function readParts(parts: JsonValue): Pick<Message, 'text' | 'callsTool'> {
  if (typeof parts === 'string') return { text: parts, callsTool: false };
  if (!isJsonArray(parts)) return { text: '', callsTool: false };
  return { text: joinParts(parts), callsTool: parts.some(isToolPart) };
}

function roleOf(message: JsonObject): string | null {
  const role = memberOf(message, 'role');
  return typeof role === 'string' && role !== '' ? role.toLowerCase() : null;
}

/** Whether a message asks for tools beside its parts. */
export function hasToolCalls(message: JsonObject): boolean {
  const calls = memberOf(message, 'tool_calls');
  return isJsonArray(calls) && calls.length > 0;
}

/** Types of parts that ask for a tool; a server's own tools run within the answer and do not count. */
const TOOL_PARTS: ReadonlySet<string> = new Set(['tool_call', 'tool_use', 'function_call']);

function isToolPart(part: JsonValue): boolean {
  if (!isJsonObject(part)) return false;
  const type = memberOf(part, 'type');
  return typeof type === 'string' && TOOL_PARTS.has(type);
}

/** A part has a type and no role. */
function isPart(value: JsonValue): boolean {
  return isJsonObject(value) && typeof memberOf(value, 'type') === 'string' && memberOf(value, 'role') === undefined;
}

/** The texts of text parts: `content` in the GenAI conventions, `text` in what providers' libraries send. */
function joinParts(parts: readonly JsonValue[]): string {
  const texts = parts.flatMap((part) => {
    if (typeof part === 'string') return [part];
    if (!isJsonObject(part)) return [];
    const type = memberOf(part, 'type');
    if (type !== 'text' && type !== 'input_text' && type !== 'output_text') return [];
    const text = memberOf(part, 'content') ?? memberOf(part, 'text');
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
  return texts.join('\n');
}
