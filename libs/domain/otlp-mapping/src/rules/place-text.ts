import { type JsonValue, type OtlpPlace, stepsOf } from '@answer-evidence/contracts';
import type { ContentRule } from '../dialects/content-rule.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText, toJson } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { isPrinted } from '../item/python-literals.ts';
import { findInState } from '../read/framework-state.ts';
import { readMessages } from '../read/messages.ts';

/** An item of a list, counted from 0. */
const INDEX = /^(?:0|[1-9]\d{0,5})$/;

/**
 * The text at the place that rules of an application name: a text as it stands, of messages the one that was asked or
 * answered last, or what a state says under a known name; undefined where there is none. JSON within a text is opened
 * on the way. Throws `Rejection`.
 */
export function findTextAt(value: AttributeValue, place: OtlpPlace, to: ContentRule['to']): string | undefined {
  const whole = typeof value === 'string' ? value : toJson(value, place.attribute, 'loose');
  const found = stepsOf(place.path).reduce<JsonValue | undefined>(findStep, whole);
  return found === undefined ? undefined : readSaid(found, to);
}

/** The member or the item of a value that one step of a path names. */
function findStep(value: JsonValue | undefined, step: string): JsonValue | undefined {
  const opened = openJson(value);
  if (isJsonObject(opened)) return memberOf(opened, step);
  if (!isJsonArray(opened)) return undefined;
  if (step === '-') return opened.at(-1);
  return INDEX.test(step) ? opened[Number(step)] : undefined;
}

/** What a text of JSON holds; any other value as it is. */
export function openJson(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const read = readJsonText(value, 'loose');
  return read.kind === 'json' ? read.value : value;
}

function readSaid(value: JsonValue, to: ContentRule['to']): string | undefined {
  const opened = openJson(value) ?? null;
  if (typeof value === 'string' && typeof opened === 'string')
    return value.trim() === '' || isPrinted(value) ? undefined : value;
  // A list of numbers in a text may be what somebody said. An object is no text: one more step leads to one.
  const isState = isJsonObject(opened) || (isJsonArray(opened) && opened.some(isJsonObject));
  if (!isState) return typeof value === 'string' ? value : undefined;
  return findInState(opened, to) ?? joinParts(opened);
}

/** The text of a list of parts of a message, of which the list is all that is shown. */
function joinParts(value: JsonValue): string | undefined {
  if (!isJsonArray(value) || !value.every(isJsonObject)) return undefined;
  const [only, ...more] = readMessages(value);
  return only === undefined || more.length > 0 || only.text === '' ? undefined : only.text;
}
