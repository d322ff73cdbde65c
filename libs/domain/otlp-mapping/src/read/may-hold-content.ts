import { MARK_PREFIX } from '../dialects/mapping-table.ts';
import { CONTENT_RULES } from '../dialects/tables.ts';
import type { Attribute, AttributeValue, OtlpItem } from '../item/otlp-item.ts';
import { isLeftOut } from './left-out.ts';
import { bodyMembers, eventNameOf } from './places.ts';

const EXACT_KEYS: ReadonlySet<string> = new Set(
  CONTENT_RULES.filter(({ event, form }) => event === null && form !== 'indexed').map(({ key }) => key),
);
const PREFIXES: readonly string[] = [
  MARK_PREFIX,
  ...CONTENT_RULES.flatMap(({ indexed }) => (indexed === undefined ? [] : [indexed.prefix])),
];
/** What rules read of each event. */
const KEYS_OF_EVENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...Map.groupBy(CONTENT_RULES, ({ event }) => event)].flatMap(([event, rules]) => {
    return event === null ? [] : [[event, new Set(rules.map(({ key }) => key))] as const];
  }),
);

function isContentKey(key: string): boolean {
  return EXACT_KEYS.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** Whether an item has what a rule for contents, or a mark, is about: most have not, and are looked at no further. */
export function mayHoldContent(item: OtlpItem): boolean {
  if (item.attributes.some(({ key }) => isContentKey(key))) return true;
  if (item.kind === 'span') return item.events.some(({ name }) => KEYS_OF_EVENTS.has(name));
  const event = eventNameOf(item);
  return (event !== null && KEYS_OF_EVENTS.has(event)) || bodyMembers(item).some(({ key }) => isContentKey(key));
}

/**
 * Whether an item has anything that a rule for contents reads, and not only the name of an event that may have it, or
 * what stands where contents were left out.
 */
export function hasContent(item: OtlpItem): boolean {
  if (item.attributes.some(({ key, value }) => isContentKey(key) && !isNoText(value))) return true;
  if (item.kind === 'span') return item.events.some(({ name, attributes }) => hasKeyOf(name, attributes));
  const members = bodyMembers(item);
  return (
    members.some(({ key, value }) => isContentKey(key) && !isNoText(value)) ||
    hasKeyOf(eventNameOf(item) ?? '', [...item.attributes, ...members])
  );
}

function hasKeyOf(event: string, attributes: readonly Attribute[]): boolean {
  const keys = KEYS_OF_EVENTS.get(event);
  return keys !== undefined && attributes.some(({ key, value }) => keys.has(key) && !isNoText(value));
}

function isNoText(value: AttributeValue): boolean {
  return typeof value === 'string' && isLeftOut(value);
}
