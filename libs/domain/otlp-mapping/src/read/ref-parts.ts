import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { memberOf, readJsonText, toJson } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { Rejection } from '../item/rejection.ts';
import type { Place } from './places.ts';

/** Longest name, id or label that is taken over from instrumentation. */
const LABEL_LENGTH_MAX = 256;
const LABEL = /^\P{Cc}+$/u;

/** A name, an id or a label. What has not its form is left out: instrumentation must not cost an answer its record. */
export function findLabel(value: AttributeValue | undefined): string | undefined {
  const given = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  // An instrumentation may write every attribute as JSON, so that a name is in quotes.
  const text = typeof given === 'string' ? given.replace(/^"([^"\\]+)"$/, '$1') : given;
  if (typeof text !== 'string' || text.length > LABEL_LENGTH_MAX) return undefined;
  return text.isWellFormed() && LABEL.test(text) ? text : undefined;
}

/** A value of a place. One with two values is left out here too. */
export function look({ lookup }: Place, keys: readonly string[]): AttributeValue | undefined {
  for (const key of keys) {
    const value = lookup.peek(key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** An object of the members that are there. */
export function withoutAbsent(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, JsonValue] => {
      return member[1] !== undefined;
    }),
  );
}

/** A number of JSON. */
export function findScore(value: AttributeValue | undefined): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}

/** The first of these members that is there, if it is no object. */
export function findMember(object: JsonObject, keys: readonly string[]): AttributeValue | undefined {
  const member = keys.map((key) => memberOf(object, key)).find((found) => found !== undefined);
  return typeof member === 'object' ? undefined : member;
}

/** A value as JSON, or undefined where it is not one. */
export function findJson(value: AttributeValue, name: string): JsonValue | undefined {
  try {
    if (typeof value !== 'string') return toJson(value, name, 'loose');
    const read = readJsonText(value, 'loose');
    return read.kind === 'json' ? read.value : undefined;
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}
