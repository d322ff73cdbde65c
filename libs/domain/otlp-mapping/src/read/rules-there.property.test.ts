import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CONTENT_RULES } from '../dialects/tables.ts';
import { AttributeLookup } from '../item/attribute-lookup.ts';
import { Rejection } from '../item/rejection.ts';
import type { Place } from './places.ts';
import { readBy, readContent } from './read-content.ts';
import { rulesThere } from './rules-there.ts';

const flattened = ['0.', '1.message.'].flatMap((place) =>
  ['content', 'role', 'tool_calls.0.name'].map((name) => place + name),
);
const KEYS = CONTENT_RULES.flatMap(({ key, indexed, unless, unlessPrefixes = [], onlyPrefix }) => [
  ...(indexed === undefined ? [key] : flattened.map((rest) => indexed.prefix + rest)),
  ...unless.map((condition) => condition.key),
  ...[...unlessPrefixes, onlyPrefix].flatMap((prefix) => (prefix === undefined ? [] : [`${prefix}x`])),
]);
const VALUES = [
  ...CONTENT_RULES.flatMap(({ unless }) => unless.flatMap(({ values }) => values)),
  ...['asked', 'answered', '', '{"output":"said"}', '[{"role":"user","content":"asked"}]', '{"messages":"', 'user'],
];
const attribute = fc.record({ key: fc.constantFrom(...KEYS), value: fc.constantFrom(...VALUES, 7, null) });
const attributes = fc.array(attribute, { maxLength: 6 }).map((list) => new AttributeLookup(list));
const event = fc.constantFrom(...CONTENT_RULES.map((rule) => rule.event ?? 'another'));
const places: fc.Arbitrary<readonly [Place, ...Place[]]> = fc
  .tuple(attributes, fc.array(fc.record({ event, lookup: attributes }), { maxLength: 2 }))
  .map(([lookup, events]) => [{ event: null, lookup }, ...events]);

function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
}

describe('the rules that find something', () => {
  it('make of an item what all rules make of it', () => {
    fc.assert(
      fc.property(places, (found) => {
        const [own] = found;
        expect(outcomeOf(() => readContent(own, found))).toEqual(outcomeOf(() => readBy(CONTENT_RULES, own, found)));
      }),
      { numRuns: 3_000 },
    );
  });

  it('are all that read an attribute of the item, in the order of the table, and no others', () => {
    fc.assert(
      fc.property(places, (found) => {
        const reads = CONTENT_RULES.filter(({ event: of, key, indexed }) =>
          found.some(
            (place) =>
              place.event === of &&
              place.lookup
                .keys()
                .some((name) => (indexed === undefined ? name === key : name.startsWith(indexed.prefix))),
          ),
        );
        expect(rulesThere(found)).toEqual(reads);
      }),
    );
  });
});
