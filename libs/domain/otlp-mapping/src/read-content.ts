import type { JsonValue, TextOrHash } from '@answer-evidence/contracts';
import { readHash, readText } from './field-forms.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText, toJson } from './json-value.ts';
import { CONTENT_RULES, type ContentRule, type Exception } from './mapping-table.ts';
import { type Message, readMessages, selectAnswer, selectQuestion } from './messages.ts';
import type { AttributeValue } from './otlp-item.ts';
import type { Place } from './places.ts';
import { Rejection } from './rejection.ts';

/** What an item says was asked and answered; null where it says nothing of it. */
export type Content = { readonly question: TextOrHash | null; readonly answer: TextOrHash | null };

/** Reads question and answer by the rules of the table. `own` is the place of the item itself. Throws `Rejection`. */
export function readContent(own: Place, places: readonly Place[]): Content {
  const ruled: Record<ContentRule['to'], TextOrHash | null> = { question: null, answer: null };
  for (const rule of CONTENT_RULES) {
    const known = ruled[rule.to];
    // A hash completes the text of the same convention; every other rule only fills what is empty.
    if (known !== null && !(rule.form === 'hash' && known.hash === undefined)) continue;
    if (rule.unless.some((exception) => applies(exception, own)) || hasPrefix(rule, own)) continue;
    const found = readRule(rule, places);
    if (found !== undefined) ruled[rule.to] = { ...known, ...found };
  }
  return ruled;
}

function applies({ key, values }: Exception, own: Place): boolean {
  const value = own.lookup.find(key);
  return typeof value === 'string' && values.some((text) => text.toLowerCase() === value.toLowerCase());
}

function hasPrefix({ unlessPrefix }: ContentRule, { lookup }: Place): boolean {
  return unlessPrefix !== undefined && lookup.keys().some((key) => key.startsWith(unlessPrefix));
}

function readRule(rule: ContentRule, places: readonly Place[]): TextOrHash | undefined {
  const found: (readonly Message[])[] = [];
  for (const place of places) {
    if (place.event !== rule.event) continue;
    if (rule.form === 'indexed') {
      found.push(readIndexed(rule, place));
      continue;
    }
    const value = place.lookup.find(rule.key);
    if (value === undefined) continue;
    if (rule.form === 'text') return { text: readText(value, rule.key) };
    if (rule.form === 'hash') return { hash: readHash(value, rule.key) };
    found.push(readValue(rule, value));
  }
  // Not by spreading: a megabyte of JSON holds more messages than a call takes arguments.
  const messages = found.flat();
  const text = rule.to === 'question' ? selectQuestion(messages) : selectAnswer(messages);
  return text === undefined ? undefined : { text: readText(text, rule.key) };
}

function readValue(rule: ContentRule, value: AttributeValue): readonly Message[] {
  switch (rule.form) {
    case 'messages':
      return readMessages(typeof value === 'string' ? readDocument(value, rule.key) : toJson(value, rule.key, 'loose'));
    case 'messages_or_text':
      return readMessages(toJson(value, rule.key, 'loose'));
    case 'entity':
      return plain(typeof value === 'string' ? readEntity(value) : undefined);
    default:
      return plain(typeof value === 'string' ? value : undefined);
  }
}

function plain(text: string | undefined): readonly Message[] {
  return text === undefined || text === '' ? [] : [{ role: null, text, callsTool: false }];
}

function readDocument(text: string, name: string): JsonValue {
  const read = readJsonText(text, 'loose');
  if (read.kind === 'none') throw new Rejection(`${name} ${read.reason}`);
  return read.value;
}

/** Members that wrap a function's arguments or result: OpenLLMetry's decorators and its callbacks for LangChain. */
const WRAPPERS = ['inputs', 'outputs', 'input', 'output'];

/** The single string in arguments or a result; the text itself when it is not JSON or holds several values. */
function readEntity(text: string): string {
  const read = readJsonText(text, 'loose');
  if (read.kind === 'none') return text;
  return findOnlyText(read.value, 0) ?? text;
}

function findOnlyText(value: JsonValue, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  // Wrappers nest twice at most: `inputs` around the arguments of a function.
  if (depth > 2) return undefined;
  if (isJsonArray(value)) return value.length === 1 ? findOnlyText(value[0] ?? null, depth + 1) : undefined;
  if (!isJsonObject(value)) return undefined;
  const wrapped = WRAPPERS.map((name) => memberOf(value, name)).filter((inner) => inner !== undefined);
  if (wrapped.length === 1) return findOnlyText(wrapped[0] ?? null, depth + 1);
  const args = memberOf(value, 'args');
  const kwargs = memberOf(value, 'kwargs');
  if (isJsonArray(args) && isJsonObject(kwargs)) {
    const all = [...args, ...Object.values(kwargs)];
    return all.length === 1 ? findOnlyText(all[0] ?? null, depth + 1) : undefined;
  }
  const members = Object.values(value);
  const [only] = members;
  return members.length === 1 && typeof only === 'string' ? only : undefined;
}

type Flattened = { role: string | null; content: string | null; parts: Map<number, string>; callsTool: boolean };

/** `<prefix>N.<member>content` and the like, put together by N. */
function readIndexed({ indexed }: ContentRule, place: Place): readonly Message[] {
  if (indexed === undefined) return [];
  const found = new Map<number, Flattened>();
  for (const name of place.lookup.keys()) {
    if (!name.startsWith(indexed.prefix)) continue;
    const split = /^(0|[1-9]\d{0,5})\.(.+)$/.exec(name.slice(indexed.prefix.length));
    const [, number, rest] = split ?? [];
    if (number === undefined || rest === undefined || !rest.startsWith(indexed.member)) continue;
    const message = found.get(Number(number)) ?? { role: null, content: null, parts: new Map(), callsTool: false };
    found.set(Number(number), message);
    readFlattened(message, rest.slice(indexed.member.length), () => place.lookup.find(name));
  }
  const numbered = [...found].sort(([a], [b]) => a - b);
  return numbered.map(([, { role, content, parts, callsTool }]): Message => {
    const inParts = [...parts].sort(([a], [b]) => a - b).map(([, text]) => text);
    // A content that is a list of parts came from a message with images or tools.
    const read = content === null ? undefined : readContentText(content);
    return {
      role: role === null ? null : role.toLowerCase(),
      text: read === undefined ? inParts.join('\n') : read.text,
      callsTool: callsTool || read?.callsTool === true,
    };
  });
}

/** Looks at values of members that are read only, so that no other one can refuse the item. */
function readFlattened(message: Flattened, member: string, find: () => AttributeValue | undefined): void {
  if (member.startsWith('tool_calls.') || member.startsWith('function_call')) message.callsTool = true;
  const part = /^contents\.(0|[1-9]\d{0,5})\.message_content\.text$/.exec(member)?.[1];
  if (member !== 'role' && member !== 'content' && part === undefined) return;
  const value = find();
  if (typeof value !== 'string' || value === '') return;
  if (part !== undefined) message.parts.set(Number(part), value);
  else if (member === 'role') message.role = value;
  else message.content = value;
}

function readContentText(content: string): Pick<Message, 'text' | 'callsTool'> {
  if (!content.startsWith('[{')) return { text: content, callsTool: false };
  const read = readMessages(content);
  const [only] = read;
  return read.length === 1 && only !== undefined ? only : { text: content, callsTool: false };
}
