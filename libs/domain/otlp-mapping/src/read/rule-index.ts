import type { Place } from './places.ts';

/**
 * What a rule reads of the item itself (null) or of an event: the attribute `key`, or all whose names begin with
 * `prefix`. With neither it reads the event, whatever its attributes are.
 */
type Reading = { readonly event: string | null; readonly key?: string; readonly prefix?: string };

/** Finds the rules of a table that read something at one of the places, in the order of the table. */
export type RulesThere<Rule> = (places: readonly Place[]) => readonly Rule[];

/** So much of a name says of most that it begins with no prefix of a rule. All prefixes are longer. */
const startOf = (name: string): string => name.slice(0, 4);

/** Indexes a table by what its rules read. Most items have what few rules read, and cost no look at the others. */
export function createRuleIndex<Rule>(table: readonly Rule[], readingOf: (rule: Rule) => Reading): RulesThere<Rule> {
  const readings = table.map((rule, n) => ({ n, ...readingOf(rule) }));
  const index = new Map(
    [...Map.groupBy(readings, ({ event }) => event)].map(([event, of]) => [event, groupByName(of)] as const),
  );
  function rulesAt(places: readonly Place[]): readonly Rule[] {
    const found: number[] = [];
    for (const { event, lookup } of places) {
      const rules = index.get(event);
      if (rules === undefined) continue;
      for (const { n } of rules.ofEvent) insert(found, n);
      for (const name of lookup.keys()) {
        for (const { n } of rules.byKey.get(name) ?? []) insert(found, n);
        for (const { n, prefix } of rules.byStart.get(startOf(name)) ?? [])
          if (name.startsWith(prefix)) insert(found, n);
      }
    }
    return found.flatMap((n) => table[n] ?? []);
  }

  // An item is asked about several times, and most have the names of the one before in their request.
  let last: { readonly names: readonly Names[]; readonly rules: readonly Rule[] } | undefined;
  return (places) => {
    if (last === undefined || !haveNames(places, last.names)) {
      const names = places.map(({ event, lookup }) => ({ event, keys: lookup.keys() }));
      last = { names, rules: rulesAt(places) };
    }
    return last.rules;
  };
}

/** What the rules for a place depend on. */
type Names = { readonly event: string | null; readonly keys: readonly string[] };

function haveNames(places: readonly Place[], names: readonly Names[]): boolean {
  return (
    places.length === names.length &&
    places.every(({ event, lookup }, n) => event === names[n]?.event && isEqualList(lookup.keys(), names[n].keys))
  );
}

function isEqualList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, n) => text === b[n]);
}

function groupByName(readings: readonly (Reading & { readonly n: number })[]) {
  const prefixes = readings.flatMap(({ n, prefix }) => (prefix === undefined ? [] : [{ n, prefix }]));
  return {
    ofEvent: readings.filter(({ key, prefix }) => key === undefined && prefix === undefined),
    byKey: Map.groupBy(readings, ({ key }) => key),
    byStart: Map.groupBy(prefixes, ({ prefix }) => startOf(prefix)),
  };
}

/** Puts a number where it belongs in a short list, once: `sort` makes a list of its own, larger than this one. */
function insert(sorted: number[], n: number): void {
  let at = sorted.length;
  while (at > 0 && (sorted[at - 1] ?? 0) > n) at -= 1;
  if (at > 0 && sorted[at - 1] === n) return;
  if (at === sorted.length) sorted.push(n);
  else sorted.splice(at, 0, n);
}
