import { CONTENT_RULES, type ContentRule } from './mapping-table.ts';
import type { Place } from './places.ts';

/** The positions of rules in the table, by the event and the attribute that they read. */
const BY_KEY: ReadonlyMap<string | null, ReadonlyMap<string, readonly number[]>> = new Map(
  [...Map.groupBy(CONTENT_RULES.entries(), ([, { event }]) => event)].map(([event, rules]) => {
    const byKey = Map.groupBy(rules, ([, { key }]) => key);
    return [event, new Map([...byKey].map(([key, entries]) => [key, entries.map(([n]) => n)]))] as const;
  }),
);

/** The same of rules that read flattened messages, by what their attributes begin with. */
const BY_PREFIX = [...CONTENT_RULES.entries()].flatMap(([n, { event, indexed }]) =>
  indexed === undefined ? [] : [{ n, event, prefix: indexed.prefix }],
);

/** The rules that find what they read at one of the places, in the order of the table: most items have few of them. */
export function rulesThere(places: readonly Place[]): readonly ContentRule[] {
  const found = new Set<number>();
  for (const { event, lookup } of places) {
    const byKey = BY_KEY.get(event);
    for (const key of lookup.keys()) {
      for (const n of byKey?.get(key) ?? []) found.add(n);
      for (const { n, event: own, prefix } of BY_PREFIX) if (own === event && key.startsWith(prefix)) found.add(n);
    }
  }
  return found.size === 0 ? [] : CONTENT_RULES.filter((_, n) => found.has(n));
}
