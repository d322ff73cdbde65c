import {
  CONTENT_RULES,
  DATA_SOURCE_KEY,
  DOCUMENT_RULES,
  EVALUATION_RULES,
  FIELD_RULES,
  LISTED_PATTERNS,
  MODEL_RULES,
} from './mapping-table.ts';
import type { OtlpItem } from './otlp-item.ts';
import { bodyMembers, eventNameOf } from './places.ts';

/** Attributes of items that are read under one name, wherever they stand. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...CONTENT_RULES.flatMap((rule) => (rule.event === null ? [rule.key, ...rule.unless.map(({ key }) => key)] : [])),
  ...Object.values(FIELD_RULES).flatMap(({ on, keys }) => (on === 'item' ? keys : [])),
  ...Object.values(MODEL_RULES).flat(),
  ...DOCUMENT_RULES.flatMap(({ form, key }) => (form === 'list' ? [key] : [])),
  DATA_SOURCE_KEY,
  'event.name',
]);

/** Attributes of events that are read, by the name of the event. */
const EVENT_KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ...CONTENT_RULES.flatMap(({ event, key }) => (event === null ? [] : [[event, key] as const])),
    // A message names its author beside its content.
    ...['gen_ai.user.message', 'gen_ai.choice'].map((event) => [event, 'role'] as const),
    ...DOCUMENT_RULES.flatMap((rule) =>
      rule.form === 'event' ? [...rule.id, ...rule.score, ...rule.content].map((key) => [rule.key, key] as const) : [],
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

/** Attributes of an item, its events and its body that are not in the table: none of their values goes any further. */
export function countDropped(item: OtlpItem): number {
  const count = (attributes: readonly { readonly key: string }[], event: string | null): number =>
    attributes.reduce((sum, { key }) => (isListed(key, event) ? sum : sum + 1), 0);
  if (item.kind === 'log') {
    const event = eventNameOf(item);
    return count(item.attributes, event) + count(bodyMembers(item), event);
  }
  return item.events.reduce((sum, { name, attributes }) => sum + count(attributes, name), count(item.attributes, null));
}
