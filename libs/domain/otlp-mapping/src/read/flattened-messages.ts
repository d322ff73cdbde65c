import type { ContentRule } from '../dialects/content-rule.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { type Message, readMessages } from './messages.ts';
import type { Place } from './places.ts';
import { readPartlyPrinted } from './printed-messages.ts';
import { isTextType, joinTexts } from './text-parts.ts';
import { endsWithCall, readWrittenCalls, type ToolCall, UNKNOWN_CALL } from './tool-calls.ts';

/** The attributes of one message, as they were found. */
type Flattened = {
  role: string | null;
  content: string | null;
  endsWithCall: boolean;
  isResult: boolean;
  /** By number: a text, or null of another kind, such as what a model thought. */
  readonly parts: Map<number, string | null>;
  readonly calls: Map<string, { name: string | null; args: string | null }>;
};

/** `<prefix>N.<member>content` and the like, put together by N. */
export function readFlattenedMessages(
  { prefix, member, content = 'content' }: NonNullable<ContentRule['indexed']>,
  { lookup }: Place,
): readonly Message[] {
  const found = new Map<number, Flattened>();
  for (const key of lookup.keys()) {
    if (!key.startsWith(prefix)) continue;
    const [, number, rest] = /^(0|[1-9]\d{0,5})\.(.+)$/.exec(key.slice(prefix.length)) ?? [];
    if (number === undefined || rest === undefined || !rest.startsWith(member)) continue;
    const message = found.get(Number(number)) ?? {
      role: null,
      content: null,
      endsWithCall: false,
      isResult: false,
      parts: new Map(),
      calls: new Map(),
    };
    found.set(Number(number), message);
    const name = rest.slice(member.length) === content ? 'content' : rest.slice(member.length);
    if (name === 'tool_call_id') message.isResult = true;
    else if (name === 'finish_reason') message.endsWithCall = endsWithCall(lookup.peek(key));
    else if (!readToolCall(message, name, lookup.peek(key))) readMember(message, name, () => lookup.find(key));
  }
  const messages = [...found].sort(([a], [b]) => a - b).map(([, message]) => toMessage(message));
  return withResults(messages);
}

/** JSON of an object, as far as its ends show. */
const OBJECT = /^\s*\{[^]*\}\s*$/;

/** Results of tools, which are objects, may be handed over in the name of the user, behind the call. */
function withResults(messages: readonly Message[]): readonly Message[] {
  let isBehindCall = false;
  return messages.map((message) => {
    const isResult = isBehindCall && message.role === 'user' && OBJECT.test(message.text);
    isBehindCall = isResult || message.toolCalls.length > 0;
    return isResult ? { ...message, role: 'tool' } : message;
  });
}

/** `tool_calls.M.tool_call.function.name`, `tool_calls.M.name` or the like, and the arguments beside it. */
function readToolCall({ calls }: Flattened, member: string, value: AttributeValue | undefined): boolean {
  const [, number, name] = /^(?:tool_calls\.(\d{1,6})\.|function_call)(.*)$/.exec(member) ?? [];
  if (name === undefined) return false;
  const call = calls.get(number ?? '') ?? { name: null, args: null };
  calls.set(number ?? '', call);
  if (typeof value === 'string') {
    if (/(?:^|\.|_)name$/.test(name)) call.name = value;
    else if (/(?:^|\.|_)arguments(?:_json)?$/.test(name)) call.args = value;
  }
  return true;
}

/** Looks at values of members that are read only, so that no other one can refuse the item. */
function readMember(message: Flattened, member: string, find: () => AttributeValue | undefined): void {
  const [, part, name] = /^contents\.(0|[1-9]\d{0,5})\.message_content\.(text|type)$/.exec(member) ?? [];
  if (member !== 'role' && member !== 'content' && part === undefined) return;
  const value = find();
  if (typeof value !== 'string' || value === '') return;
  const isOther = name === 'type' ? !isTextType(value) : message.parts.get(Number(part)) === null;
  if (part !== undefined && isOther) message.parts.set(Number(part), null);
  else if (name === 'text') message.parts.set(Number(part), value);
  else if (name === 'type') return;
  else if (member === 'role') message.role = value;
  else message.content = value;
}

function toMessage({ role, content, parts, calls, ...end }: Flattened): Message {
  const inParts = [...parts].sort(([a], [b]) => a - b).map(([, text]) => text);
  const isOfModel = role !== null && /^(?:assistant|model)$/i.test(role);
  // A content that is a list of parts came from a message with images or tools.
  const read = content === null ? { text: joinTexts(inParts, isOfModel), toolCalls: [] } : readContentText(content);
  const flattened: readonly ToolCall[] = calls.size === 0 && end.endsWithCall ? [UNKNOWN_CALL] : [...calls.values()];
  return {
    // Results of tools may be handed over in the name of the user.
    role: end.isResult ? 'tool' : role === null ? null : role.toLowerCase(),
    text: read.text,
    toolCalls: [...read.toolCalls, ...flattened],
  };
}

function readContentText(content: string): Pick<Message, 'text' | 'toolCalls'> {
  const toolCalls = readWrittenCalls(content);
  if (toolCalls.length > 0) return { text: '', toolCalls };
  const partly = readPartlyPrinted(content);
  if (partly !== undefined) return { text: partly, toolCalls: [] };
  const [only, ...more] = content.startsWith('[{') ? readMessages(content) : [];
  return only !== undefined && more.length === 0 ? only : { text: content, toolCalls: [] };
}
