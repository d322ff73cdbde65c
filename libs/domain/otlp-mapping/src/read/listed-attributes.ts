import { FIELD_RULES } from '../dialects/mapping-table.ts';
import { DATA_SOURCE_KEY, EVALUATION_RULES } from '../dialects/ref-rules.ts';
import {
  CONTENT_RULES,
  DOCUMENT_RULES,
  FAILURES,
  LISTED_PATTERNS,
  MESSAGE_EVENTS,
  MODEL_RULES,
  TOOL_RULES,
  VECTOR_SEARCHES,
} from '../dialects/tables.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { bodyMembers, eventNameOf } from './places.ts';

/** Attributes of items that are read under one name, wherever they stand. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...CONTENT_RULES.flatMap((rule) => (rule.event === null ? [rule.key, ...rule.unless.map(({ key }) => key)] : [])),
  ...Object.values(FIELD_RULES).flatMap(({ on, keys }) => (on === 'item' ? keys : [])),
  ...Object.values(MODEL_RULES).flat(),
  ...DOCUMENT_RULES.flatMap(({ form, key }) => (form === 'list' ? [key] : [])),
  ...DOCUMENT_RULES.flatMap(({ query }) => query ?? []),
  ...TOOL_RULES.flatMap(({ when, name, args }) => [when.key, ...name, ...args]),
  ...FAILURES.map(({ key }) => key),
  DATA_SOURCE_KEY,
  ...VECTOR_SEARCHES,
  'event.name',
]);

/** Attributes of events that are read, by the name of the event. */
const EVENT_KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ...CONTENT_RULES.flatMap(({ event, key }) => (event === null ? [] : [[event, key] as const])),
    ...MESSAGE_EVENTS.flatMap(({ event, author, calls }) =>
      [author, calls].flatMap((key) => (key === undefined ? [] : [[event, key] as const])),
    ),
    ...DOCUMENT_RULES.flatMap((rule) =>
      rule.form === 'event'
        ? [...rule.id, ...rule.score, ...rule.content, ...(rule.metadata ?? [])].map((key) => [rule.key, key] as const)
        : [],
    ),
    ...[
      EVALUATION_RULES.name,
      EVALUATION_RULES.score_value,
      EVALUATION_RULES.score_label,
      EVALUATION_RULES.response_id,
    ].map((key) => [EVALUATION_RULES.event, key] as const),
  ].reduce(
    (byEvent, [event, key]) => byEvent.set(event, (byEvent.get(event) ?? new Set()).add(key)),
    new Map<string, Set<string>>(),
  ),
);

function isListed(key: string, event: string | null): boolean {
  if (event !== null && EVENT_KEYS.get(event)?.has(key) === true) return true;
  return OWN_KEYS.has(key) || LISTED_PATTERNS.some((pattern) => pattern.test(key));
}

/**
 * Whether a rule reads an attribute of this name, as far as the name alone tells. `hasEvents`: it may be one of an
 * event, which are few and common words, such as `content`.
 */
export function isReadName(name: string, hasEvents: boolean): boolean {
  return isListed(name, null) || (hasEvents && [...EVENT_KEYS.values()].some((keys) => keys.has(name)));
}

/** Attributes of an item, its events and its body that are not in the table: none of their values goes any further. */
export function countDropped(item: OtlpItem): number {
  let count = 0;
  forEachName(item, (key, event) => {
    if (!isListed(key, event)) count += 1;
  });
  return count;
}

/** The names of an item's attributes: those that are read, and those that are not. */
export function findNames(item: OtlpItem): { readonly read: readonly string[]; readonly notRead: readonly string[] } {
  const [read, notRead] = [new Set<string>(), new Set<string>()];
  forEachName(item, (key, event) => (isListed(key, event) ? read : notRead).add(key));
  return { read: [...read], notRead: [...notRead] };
}

/** Tells each name, with that of the event that it belongs to. */
function forEachName(item: OtlpItem, see: (key: string, event: string | null) => unknown): void {
  const event = item.kind === 'log' ? eventNameOf(item) : null;
  for (const { key } of item.attributes) see(key, event);
  if (item.kind === 'log') for (const { key } of bodyMembers(item)) see(key, event);
  else for (const { name, attributes } of item.events) for (const { key } of attributes) see(key, name);
}
