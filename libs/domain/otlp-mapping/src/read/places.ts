import type { Quirks } from '../dialects/dialect.ts';
import { quirksOf } from '../dialects/quirks.ts';
import { AttributeLookup, findSingle, isAttributeMap } from '../item/attribute-lookup.ts';
import type { Attribute, OtlpItem, OtlpLogRecord } from '../item/otlp-item.ts';

/** Attributes that belong together: those of an item, or those of one event of it. */
export type Place = Quirks & {
  /** The name of the event; null for the item itself. */
  readonly event: string | null;
  readonly lookup: AttributeLookup;
};

/**
 * The places of an item: its own attributes first, then its events in their order. To a log record the members of its
 * body belong too, or its body as `body`, and an attribute comes before a member of the same name; one that is an event
 * is a place of its name as well.
 */
export function placesOf(item: OtlpItem): readonly Place[] {
  if (item.kind === 'span') {
    const own: Place = { event: null, lookup: new AttributeLookup(item.attributes), ...quirksOf(item.scope.name) };
    const events = item.events.map(({ name, attributes }) => {
      return { event: name, lookup: new AttributeLookup(attributes) };
    });
    return [own, ...events];
  }
  const known = new Set(item.attributes.map(({ key }) => key));
  const more = bodyMembers(item).filter(({ key }) => !known.has(key));
  const lookup = new AttributeLookup([...item.attributes, ...more]);
  const event = eventNameOf(item);
  return event === null
    ? [{ event, lookup }]
    : [
        { event: null, lookup },
        { event, lookup },
      ];
}

/** The name of the event that a log record is; before `event_name` was a field of its own it was an attribute. */
export function eventNameOf(item: OtlpLogRecord): string | null {
  if (item.eventName !== '') return item.eventName;
  const name = findSingle(item.attributes, 'event.name');
  return typeof name === 'string' && name !== '' ? name : null;
}

/** The body of a log record as attributes. */
export function bodyMembers({ body }: OtlpLogRecord): readonly Attribute[] {
  if (body === null) return [];
  return isAttributeMap(body) ? body.members : [{ key: 'body', value: body }];
}
