import type { JsonValue, TextOrHash } from '@answer-evidence/contracts';
import { readHash, readText } from './field-forms.ts';
import { findInState } from './framework-state.ts';
import { readJsonText, toJson } from './json-value.ts';
import { type Condition, CONTENT_RULES, type ContentRule } from './mapping-table.ts';
import { type Message, readMessages, selectAnswer, selectQuestion } from './messages.ts';
import type { AttributeValue } from './otlp-item.ts';
import type { Place } from './places.ts';
import { Rejection } from './rejection.ts';

/** What an item says was asked and answered; null where it says nothing of it. */
export type Content = {
  readonly question: TextOrHash | null;
  readonly answer: TextOrHash | null;
  /** There is no answer, and a framework's state that may hold one, at a place that no rule names. */
  readonly hasUnreadState: boolean;
};

/** Reads question and answer by the rules of the table. `own` is the place of the item itself. Throws `Rejection`. */
export function readContent(own: Place, places: readonly Place[]): Content {
  const ruled: Record<ContentRule['to'], TextOrHash | null> = { question: null, answer: null };
  let hasState = false;
  for (const rule of CONTENT_RULES) {
    const known = ruled[rule.to];
    // A hash completes the text of the same convention; every other rule only fills what is empty.
    if (known !== null && !(rule.form === 'hash' && known.hash === undefined)) continue;
    if (rule.unless.some((exception) => applies(exception, own)) || hasPrefix(rule, own)) continue;
    const found = readRule(rule, places);
    if (found !== undefined) ruled[rule.to] = { ...known, ...found };
    else hasState ||= rule.to === 'answer' && rule.form === 'state' && own.lookup.find(rule.key) !== undefined;
  }
  return { ...ruled, hasUnreadState: hasState && ruled.answer === null };
}

/** Whether an item has an attribute of such a value. */
export function applies({ key, values }: Condition, own: Place): boolean {
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
    case 'state':
      return plain(typeof value === 'string' ? readState(value, rule.to) : undefined);
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

/** The text that a framework's state names; a string that is no JSON is one, unless it is JSON that was cut off. */
function readState(text: string, to: ContentRule['to']): string | undefined {
  const read = readJsonText(text, 'loose');
  if (read.kind === 'json') return findInState(read.value, to);
  return /^\s*[[{"]/.test(text) ? undefined : text;
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
