import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { HoldFilters } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { covers, type HoldableRecord, type HoldEntry, holdsInForce, holdsOver } from './holds.ts';

const ACTOR = { kind: 'user', id: 'u', token_id: null } as const;
const NONE = {
  external_trace_id: null,
  external_message_id: null,
  idempotency_key: null,
  actor_id_hash: null,
  session_id_hash: null,
};

const record: fc.Arbitrary<HoldableRecord> = fc.record({
  id: fc.constantFrom('r1', 'r2', 'r3'),
  at: fc.integer({ min: 0, max: 5 }),
  application_key: fc.constantFrom('a', 'b'),
  environment: fc.constantFrom('live', 'test'),
  mode: fc.constantFrom(null, 'chat'),
  ...Object.fromEntries(Object.keys(NONE).map((name) => [name, fc.constant(null)])),
}) as fc.Arbitrary<HoldableRecord>;

const time = fc.integer({ min: 0, max: 5 }).map(formatTimestamp);
const filters: fc.Arbitrary<HoldFilters> = fc.record(
  {
    application_key: fc.constantFrom('a', 'b'),
    environment: fc.constantFrom('live', 'test'),
    mode: fc.constant('chat'),
    created_after: time,
    created_before: time,
  },
  { requiredKeys: [] },
);

/** Places and releases of five holds in any order, a release also of what is not there. */
const entries = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 5 })), { maxLength: 20 }).map((steps) =>
  steps.map(([isPlaced, n], leafIndex): HoldEntry => {
    const common = { id: `h${n}`, nonce: '', version: 1, matter: `m${n}`, reason: '', actor: ACTOR };
    return isPlaced
      ? { type: 'hold_placed', leafIndex, core: { ...common, filters: {} } }
      : { type: 'hold_released', leafIndex, core: { ...common, hold_id: `h${n}` } };
  }),
);

describe('a hold', () => {
  it('covers exactly the records that its filters let through, before and from a time', () => {
    fc.assert(
      fc.property(filters, record, (filter, one) => {
        const isMatch =
          (filter.application_key ?? one.application_key) === one.application_key &&
          (filter.environment ?? one.environment) === one.environment &&
          (filter.mode === undefined || filter.mode === one.mode) &&
          (filter.created_after === undefined || formatTimestamp(one.at) >= filter.created_after) &&
          (filter.created_before === undefined || formatTimestamp(one.at) < filter.created_before);
        expect(covers({ filters: filter }, one)).toBe(isMatch);
      }),
    );
  });

  it('covers the records that it names, and every record if it is narrowed to none', () => {
    fc.assert(
      fc.property(fc.subarray(['r1', 'r2', 'r3']), record, (ids, one) => {
        expect(covers({ answer_log_ids: ids }, one)).toBe(ids.includes(one.id));
        expect(covers({ filters: {} }, one)).toBe(true);
      }),
    );
  });

  it('is in force from its entry to its release, whatever the order in which entries are read', () => {
    fc.assert(
      fc.property(
        entries.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        fc.integer({ min: 0, max: 21 }),
        ([all, shuffled], before) => {
          const left = new Set<string>();
          for (const { type, core, leafIndex } of all) {
            if (leafIndex >= before) break;
            if (type === 'hold_placed') left.add(core.id);
            else left.delete(core.hold_id);
          }
          expect(
            holdsInForce(shuffled, before)
              .map(({ id }) => id)
              .toSorted(),
          ).toEqual([...left].toSorted());
        },
      ),
    );
  });

  it('is over records if it covers one of them', () => {
    fc.assert(
      fc.property(fc.array(filters), fc.array(record), (all, records) => {
        const holds = all.map((filter, n) => ({ id: `h${n}`, matter: '', leafIndex: n, filters: filter }));
        const expected = holds.filter((hold) => records.some((one) => covers(hold, one)));
        expect(holdsOver(holds, records)).toEqual(expected);
      }),
    );
  });
});
