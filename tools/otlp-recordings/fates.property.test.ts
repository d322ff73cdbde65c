import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AnswerItem,
  decideItems,
  findIgnored,
  type OtlpItem,
  reduceItems,
  refuseUnreadable,
  splitTrace,
} from '@answer-evidence/otlp-mapping';
import { FAULTS } from './faults.ts';
import { listRecordings, readRequests } from './read-recordings.ts';

/** Recordings that are tried each time, of all. */
const SAMPLE = 150;
const SEED = 44;

const recordings = new Map<string, readonly OtlpItem[]>();
function itemsOf(name: string): readonly OtlpItem[] {
  const known = recordings.get(name) ?? readRequests(name).flatMap(({ items }) => items);
  recordings.set(name, known);
  return known;
}

const scenario = fc.record({
  name: fc.constantFrom(...listRecordings()),
  fault: fc.constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[])),
  at: fc.nat(),
  order: fc.array(fc.nat(), { minLength: 64, maxLength: 64 }),
  cut: fc.nat(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Of> ? Of : never;

/** The items of a scenario, in its order, each with a number of its own. */
function itemsIn({ name, fault, at, order }: Scenario): readonly OtlpItem[] {
  const items = itemsOf(name).flatMap((item, n, all) => (n === at % all.length ? FAULTS[fault](item) : [item]));
  return items
    .map((item, n) => ({ item, by: order[n % order.length] ?? 0 }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ item }, index) => ({ ...item, index }));
}

/** Where an item stands in its recording. */
function placeOf({ name }: Scenario, item: OtlpItem): number {
  return itemsOf(name).findIndex((one) => one.kind === 'log' && item.kind === 'log' && one.body === item.body);
}

/** As text, whatever the position of what it was made of. */
function textOf(answers: readonly AnswerItem[]): readonly string[] {
  const asText = (name: string, value: unknown) =>
    name === 'index' ? undefined : typeof value === 'bigint' ? String(value) : value;
  return answers.map((answer) => JSON.stringify(answer, asText)).sort();
}

describe('the fate of an item, with one fault, in any split and order', () => {
  it('is exactly one: refused when it came, a record, refused later, listed, or part of a trace with a record', () => {
    let [refusals, records, lists] = [0, 0, 0];
    fc.assert(
      fc.property(scenario, (drawn) => {
        const items = itemsIn(drawn);
        const cut = drawn.cut % (items.length + 1);
        // What cannot be read is refused in the response to its request, whichever that is.
        const parts = [items.slice(0, cut), items.slice(cut)].map((part) => refuseUnreadable(reduceItems(part)));
        const told = parts.flatMap(({ rejected }) => rejected.map(({ index }) => index));
        const received = parts.flatMap((part) => part.items);
        const { decided, waiting } = splitTrace(received);
        // The rest is decided when its trace has been quiet.
        const late = decideItems(waiting.length > 0 ? received : []);
        const made = new Set([...decided.items, ...late.items].map(({ index }) => index));
        const lost = new Set([...decided.rejected, ...late.rejected].map(({ index }) => index));
        const answered = new Set([...decided.items, ...late.items].map(({ traceId }) => traceId));
        expect(new Set(told).size).toBe(told.length);
        const taken = new Set([...made, ...lost]);
        const { items: listed } = findIgnored(received, taken);
        const inList = new Set(listed.map(({ traceId, spanId }) => `${traceId}:${spanId}`));
        for (const item of received) {
          const fates = [told.includes(item.index), made.has(item.index), lost.has(item.index)].filter(Boolean);
          expect(fates.length).toBeLessThan(2);
          const isPart = answered.has(item.traceId);
          const isListed = inList.has(`${item.traceId}:${item.spanId}`);
          if (fates.length === 0 && !isPart)
            expect([drawn.name, item.spanId, isListed]).toEqual([drawn.name, item.spanId, true]);
        }
        [refusals, records, lists] = [refusals + told.length, records + made.size, lists + listed.length];
      }),
      { seed: SEED, numRuns: SAMPLE },
    );
    // None of the fates is one that nothing here can have.
    expect([refusals, records, lists].every((count) => count > 10)).toBe(true);
  });

  it('is the same in whatever order the items come, and so are the records', () => {
    fc.assert(
      fc.property(scenario, (drawn) => {
        const all = itemsIn(drawn).toSorted((a, b) => Number(a.kind === 'log') - Number(b.kind === 'log'));
        // Log records of one span may have one time: the order in which they were written is that in which they came.
        const logs = all.filter(({ kind }) => kind === 'log').toSorted((a, b) => placeOf(drawn, a) - placeOf(drawn, b));
        const spans = all.filter(({ kind }) => kind === 'span');
        const [items, turned] = [
          [...spans, ...logs],
          [...logs, ...spans.toReversed()],
        ];
        // Of a span that came with other contents, the first counts.
        if (drawn.fault === 'it is sent twice') return;
        expect(textOf(decideItems(reduceItems(turned)).items)).toEqual(textOf(decideItems(reduceItems(items)).items));
      }),
      { seed: SEED, numRuns: SAMPLE },
    );
  });
});
