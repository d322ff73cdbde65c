import type { Condition } from '../dialects/condition.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import type { Place } from './places.ts';

/** Whether an item has an attribute of such a value. Throws `Rejection` if it is there with two values. */
export function applies({ key, values, except }: Condition, { lookup }: Place): boolean {
  if (!isOneOf(values, lookup.find(key))) return false;
  return except === undefined || !isOneOf(except.values, lookup.find(except.key));
}

/** The same for what is optional: false if the attribute is there with two values. */
export function holds({ key, values, except }: Condition, { lookup }: Place): boolean {
  if (!isOneOf(values, lookup.peek(key))) return false;
  return except === undefined || !isOneOf(except.values, lookup.peek(except.key));
}

const NONE: readonly Condition[] = [];

/** Tells whether one of these conditions holds; looks only at those whose attribute is there, which few are. */
export function createCheck(conditions: readonly Condition[]): (own: Place) => boolean {
  const byKey = Map.groupBy(conditions, ({ key }) => key);
  return (own) => {
    for (const key of own.lookup.keys())
      for (const condition of byKey.get(key) ?? NONE) if (holds(condition, own)) return true;
    return false;
  };
}

/** An instrumentation may write every attribute as JSON, so that a name is in quotes. */
function isOneOf(values: readonly string[], value: AttributeValue | undefined): boolean {
  if (typeof value !== 'string') return false;
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  const plain = isQuoted ? value.slice(1, -1) : value;
  // Mostly the lengths differ, and no copy of the texts is made.
  for (const text of values)
    if (text.length === plain.length && (text === plain || text.toLowerCase() === plain.toLowerCase())) return true;
  return false;
}
