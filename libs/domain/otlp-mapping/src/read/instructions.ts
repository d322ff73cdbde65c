import { INSTRUCTION_KEYS } from '../dialects/tables.ts';
import { isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { Rejection } from '../item/rejection.ts';
import { readFlattenedMessages } from './flattened-messages.ts';
import { findMessagesInState } from './framework-state.ts';
import { readMessages } from './messages.ts';
import type { Place } from './places.ts';
import { readRules } from './read-content.ts';
import { readValue } from './read-value.ts';

/** Members of a state in which the instructions of a call stand beside its messages. */
const MEMBERS = ['system', 'instructions', 'system_prompt'];

/** The texts by which the model of an item is instructed, as far as the item shows them. */
export function findInstructions(own: Place, places: readonly Place[]): readonly string[] {
  const given = INSTRUCTION_KEYS.map((key) => own.lookup.peek(key)).find((value) => value !== undefined);
  const named = given === undefined || typeof given !== 'string' ? [] : readMessages(given).map(({ text }) => text);
  const shown = readRules('question', own, places).flatMap(({ rule, there }) =>
    there.flatMap((place) => {
      if (rule.indexed !== undefined) return instructing(readFlattenedMessages(rule.indexed, place));
      const value = place.lookup.peek(rule.key);
      return value === undefined
        ? []
        : [...inState(value), ...instructing(readOrNone(() => readValue(rule, value, place)))];
    }),
  );
  return [...named, ...shown];
}

type Said = { readonly role: string | null; readonly text: string };

function instructing(messages: readonly Said[]): readonly string[] {
  return messages.flatMap(({ role, text }) => (role === 'system' || role === 'developer' ? [text] : []));
}

function inState(value: AttributeValue): readonly string[] {
  const read = typeof value === 'string' && /^\s*[[{]/.test(value) ? readJsonText(value, 'loose') : undefined;
  if (read?.kind !== 'json') return [];
  const state = read.value;
  const members = isJsonObject(state) ? MEMBERS.map((name) => memberOf(state, name)) : [];
  return [
    ...members.filter((member) => typeof member === 'string'),
    ...instructing(findMessagesInState(state, 'question')),
  ];
}

function readOrNone(read: () => readonly Said[]): readonly Said[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof Rejection) return [];
    throw error;
  }
}
