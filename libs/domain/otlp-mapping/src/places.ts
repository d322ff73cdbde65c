import { AttributeLookup, isAttributeMap } from './attribute-lookup.ts';
import type { Attribute, OtlpItem, OtlpLogRecord } from './otlp-item.ts';

/** Attributes that belong together: those of an item, or those of one event of it. */
export type Place = {
  /** The name of the event; null for the item itself. */
  readonly event: string | null;
  readonly lookup: AttributeLookup;
};

/**
 * The places of an item: its own attributes first, then its events in their order. A log record that is an event is a place of its name
 * too, to which the members of its body belong, or its body as `body`; an attribute comes before a member of the same name.
 */
export function placesOf(item: OtlpItem): readonly Place[] {
  const own: Place = { event: null, lookup: new AttributeLookup(item.attributes) };
  if (item.kind === 'span') {
    const events = item.events.map(({ name, attributes }) => ({
      event: name,
      lookup: new AttributeLookup(attributes),
    }));
    return [own, ...events];
  }
  const event = eventNameOf(item);
  if (event === null) return [own];
  const known = new Set(own.lookup.keys());
  const more = bodyMembers(item).filter(({ key }) => !known.has(key));
  return [own, { event, lookup: new AttributeLookup([...item.attributes, ...more]) }];
}

/** The name of the event that a log record is; before `event_name` was a field of its own it was an attribute. */
export function eventNameOf(item: OtlpLogRecord): string | null {
  if (item.eventName !== '') return item.eventName;
  const name = item.attributes.find(({ key }) => key === 'event.name')?.value;
  return typeof name === 'string' && name !== '' ? name : null;
}

/** The body of a log record as attributes. */
export function bodyMembers({ body }: OtlpLogRecord): readonly Attribute[] {
  if (body === null) return [];
  return isAttributeMap(body) ? body.members : [{ key: 'body', value: body }];
}
