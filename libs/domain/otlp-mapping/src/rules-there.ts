import { CONTENT_RULES, type ContentRule } from './content-rules.ts';
import type { Place } from './places.ts';

/** The positions of rules in the table, by the event and the attribute that they read. */
const BY_KEY: ReadonlyMap<string | null, ReadonlyMap<string, readonly number[]>> = new Map(
  [...Map.groupBy(CONTENT_RULES.entries(), ([, { event }]) => event)].map(([event, rules]) => {
    const byKey = Map.groupBy(rules, ([, { key }]) => key);
    return [event, new Map([...byKey].map(([key, entries]) => [key, entries.map(([n]) => n)]))] as const;
  }),
);

/** So much of a key says of most that it begins with no prefix of a rule. All prefixes are longer. */
const startOf = (key: string): string => key.slice(0, 4);

/** The same of rules that read flattened messages, by how what their attributes begin with begins. */
const BY_START = Map.groupBy(
  [...CONTENT_RULES.entries()].flatMap(([n, { event, indexed }]) =>
    indexed === undefined ? [] : [{ n, event, prefix: indexed.prefix }],
  ),
  ({ prefix }) => startOf(prefix),
);

/** The rules that find what they read at one of the places, in the order of the table: most items have few of them. */
export function rulesThere(places: readonly Place[]): readonly ContentRule[] {
  const found = new Set<number>();
  for (const { event, lookup } of places) {
    const byKey = BY_KEY.get(event);
    for (const key of lookup.keys()) {
      for (const n of byKey?.get(key) ?? []) found.add(n);
      for (const { n, event: own, prefix } of BY_START.get(startOf(key)) ?? [])
        if (own === event && key.startsWith(prefix)) found.add(n);
    }
  }
  return [...found].sort((a, b) => a - b).flatMap((n) => CONTENT_RULES[n] ?? []);
}
