import type { JsonValue } from '@answer-evidence/contracts';
import type { ContentRule } from '../dialects/content-rule.ts';
import { CONVERSATIONS } from '../dialects/tables.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText, toJson } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { isPrinted } from '../item/python-literals.ts';
import { Rejection } from '../item/rejection.ts';
import { readObject } from '../item/written-object.ts';
import { readExchange } from './exchanges.ts';
import { readFlow } from './flows.ts';
import { findInState, findMessagesInState } from './framework-state.ts';
import { readKeyedMessages } from './keyed-messages.ts';
import { type Message, readMessages } from './messages.ts';
import { readNested } from './nested-messages.ts';
import { joinPieces } from './pieces.ts';
import type { Place } from './places.ts';

/** Messages of which each has only its last text, and the tools that were asked for after it. */
function lastTurnOf(json: JsonValue): JsonValue {
  if (!isJsonArray(json)) return json;
  return json.map((message) => {
    const parts = isJsonObject(message) ? memberOf(message, 'parts') : undefined;
    if (!isJsonObject(message) || !isJsonArray(parts)) return message;
    const last = parts.findLastIndex((part) => isJsonObject(part) && memberOf(part, 'type') === 'text');
    return { ...message, parts: parts.slice(Math.max(last, 0)) };
  });
}

/** A response of a model's interface, which may stand as it is in the place of messages. */
function isResponse(value: JsonValue): boolean {
  const name = isJsonObject(value) ? memberOf(value, 'object') : undefined;
  return name === 'response' || name === 'chat.completion';
}

/** How JSON of messages begins, and Python's form of it: a text in their place may begin with a bracket, too. */
const BEGIN = /^\s*(?:"|\[\s*(?:[[{"'\]]|$)|\{\s*(?:["'}]|$))/;

/** The messages in a value of a rule, at the place it stands. Throws `Rejection`. */
export function readValue(rule: ContentRule, value: AttributeValue, place: Place): readonly Message[] {
  switch (rule.form) {
    case 'messages': {
      if (typeof value === 'string' && !BEGIN.test(value))
        return rule.to === 'question' || hasMessages(place) ? plain(value) : [];
      const json = typeof value === 'string' ? readDocument(value, rule.key) : toJson(value, rule.key, 'loose');
      const responses = isJsonArray(json) ? json : [json];
      if (responses.every(isResponse)) return responses.flatMap((one) => findMessagesInState(one, rule.to));
      const read = readMessages(rule.to === 'answer' && place.gathering === 'turns' ? lastTurnOf(json) : json);
      if (rule.to === 'answer' && place.gathering === 'pieces') return joinPieces(read);
      return place.nestsMessages === true ? readNested(read) : read;
    }
    case 'messages_or_text': {
      const logged = rule.mayBeObject === true && typeof value === 'string' ? readObject(value) : undefined;
      if (logged !== undefined) return readMessages([logged]);
      const exchange = typeof value === 'string' ? readExchange(value) : undefined;
      return exchange === undefined
        ? readMessages(toJson(value, rule.key, 'loose'))
        : plain(findInState(exchange, rule.to));
    }
    case 'state':
      return plain(typeof value === 'string' ? readState(value, rule.to) : undefined);
    case 'flow':
      return plain(typeof value === 'string' ? readFlow(value, rule.to) : undefined);
    case 'keyed':
      return readKeyedMessages(value, rule.to);
    case 'printed':
      return plain(typeof value === 'string' && !isPrinted(value) && !isState(value) ? value : undefined);
    default:
      return plain(typeof value === 'string' ? value : undefined);
  }
}

function plain(text: string | undefined): readonly Message[] {
  return text === undefined || text === '' ? [] : [{ role: null, text, toolCalls: [] }];
}

/** Whether what was asked stands beside an answer: alone, a text in its place may be a name, as of an agent. */
function hasMessages({ lookup, nestsMessages = false }: Place): boolean {
  return nestsMessages || CONVERSATIONS.some(({ given }) => lookup.peek(given) !== undefined);
}

/** JSON, which may have been cut off. */
function readDocument(text: string, name: string): JsonValue {
  const read = readJsonText(text, 'loose');
  if (read.kind === 'none') throw new Rejection(`${name} ${read.reason}`);
  return read.value;
}

/** Whether a text is JSON of an object or a list, whole or cut off. */
export function isState(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  return /^\s*\{\s*"[^"]*"\s*:/.test(text) || readJsonText(text, 'loose').kind === 'json';
}

/** The text that a framework's state names; a string that is no JSON is one, unless it is JSON that was cut off. */
export function readState(text: string, to: ContentRule['to']): string | undefined {
  const read = readJsonText(text, 'loose');
  if (read.kind === 'json') return findInState(read.value, to);
  return /^\s*[[{"]/.test(text) || isPrinted(text) ? undefined : text;
}
