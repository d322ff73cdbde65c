import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type EventType, RECORD_STATUSES, type RecordFilters, type RecordStatus } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { type Answer, prepareAnswer } from '../../fixtures/answers.ts';
import { prepareChange } from '../../fixtures/changes.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { createWorkspace } from '../create-workspace.ts';

type Columns = NonNullable<Answer['columns']>;
type Known = {
  readonly id: string;
  readonly leafIndex: number;
  readonly at: number;
  readonly status: RecordStatus;
  readonly key: string | null;
  readonly columns: Columns;
};

const COUNT = 90;
const CHANGES: readonly (EventType | undefined)[] = [undefined, undefined, 'correction_appended', 'voided', 'redacted'];

let log: TestLog;
let otherWorkspaceId: string;
let known: readonly Known[];

/** Columns of the n-th record: small sets of values with coprime sizes, so that every combination comes up. */
function columnsOf(n: number): Columns {
  const pick = (values: readonly (string | null)[]) => values[n % values.length] ?? null;
  return {
    application_key: pick(['support-bot', 'sales-bot']) ?? '',
    environment: pick(['production', 'staging', 'production']) ?? '',
    external_trace_id: pick(['t1', 't2', null, null, null]),
    external_message_id: pick(['m1', null, null]),
    mode: pick(['chat', null]),
    actor_id_hash: pick(['a1', 'a2', null]),
    session_id_hash: pick(['s1', null, null, null]),
  };
}

beforeAll(async () => {
  log = await openTestLog();
  const ledger = log.openLedger();
  const append = (prepare: Parameters<typeof ledger.append>[1]) => ledger.append(log.workspace.id, prepare);
  const records: Known[] = [];
  for (let from = 0; from < COUNT; from += 30) {
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const n = from + i;
        const key = n % 4 === 0 ? { key: `key-${n % 12}-${n}` } : {};
        return append(prepareAnswer(log, { question: `q ${n}`, withRefs: n % 5 === 0, columns: columnsOf(n), ...key }));
      }),
    );
    for (const [i, outcome] of outcomes.entries()) {
      const n = from + i;
      const entry = outcome.kind === 'appended' ? outcome.entries[0] : undefined;
      if (entry === undefined) throw new Error('all of these are new');
      const type = CHANGES[n % CHANGES.length];
      if (type !== undefined) await append(prepareChange(log, { recordId: entry.id, type }));
      // An event that changes no status leaves a record recorded.
      else if (n % 2 === 0) await append(prepareChange(log, { recordId: entry.id, type: 'retention_extended' }));
      const status: RecordStatus =
        type === undefined ? 'recorded' : type === 'correction_appended' ? 'corrected' : (type as RecordStatus);
      const key = n % 4 === 0 ? `key-${n % 12}-${n}` : null;
      records.push({ id: entry.id, leafIndex: entry.leafIndex, at: entry.at, status, key, columns: columnsOf(n) });
    }
  }
  known = records;
  ({ workspaceId: otherWorkspaceId } = await createWorkspace(
    log.pool,
    { vault: log.vault, clock: log.clock, random: log.random },
    { slug: 'other', displayName: 'Other', host: 'log.example', member: { username: 'mia', role: 'manager' } },
  ));
});

afterAll(async () => {
  expect((await log.check()).findings).toEqual([]);
  await log.close();
});

function matches(record: Known, filters: RecordFilters): boolean {
  const { status, created_after: after, created_before: before, idempotency_key: key, ...columns } = filters;
  const time = formatTimestamp(record.at);
  return (
    (status === undefined || record.status === status) &&
    (after === undefined || time >= after) &&
    (before === undefined || time < before) &&
    (key === undefined || record.key === key) &&
    Object.entries(columns).every(([column, value]) => record.columns[column as keyof Columns] === value)
  );
}

const time = fc.nat(COUNT + 5).map((n) => {
  const first = known[0]?.at ?? 0;
  const last = known.at(-1)?.at ?? 0;
  // Any microsecond of the whole span, and a little outside of it.
  return formatTimestamp(Math.round(first - 2 + ((last - first + 4) * n) / (COUNT + 5)));
});
const value = (...values: readonly [string, ...string[]]) => fc.constantFrom(...values, 'nobody');
const filtersOf: fc.Arbitrary<RecordFilters> = fc
  .record(
    {
      application_key: value('support-bot', 'sales-bot'),
      environment: value('production', 'staging'),
      status: fc.constantFrom(...RECORD_STATUSES),
      created_after: time,
      created_before: time,
      external_trace_id: value('t1', 't2'),
      external_message_id: value('m1'),
      idempotency_key: value('key-0-0', 'key-4-4', 'key-8-8'),
      mode: value('chat'),
      actor_id_hash: value('a1', 'a2'),
      session_id_hash: value('s1'),
    },
    { requiredKeys: [] },
  )
  // Few filters at a time, or almost nothing would ever match.
  .chain((all) => fc.subarray(Object.entries(all), { maxLength: 3 }).map((some) => Object.fromEntries(some)));

describe('a list', () => {
  it('is every matching record, newest first, from the cursor on, in pages, with the total of all', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        filtersOf,
        fc.option(fc.nat(COUNT), { nil: undefined }),
        fc.nat(6),
        fc.integer({ min: 1, max: 100 }),
        async (filters, cursor, offset, limit) => {
          const all = known.filter((record) => matches(record, filters)).toReversed();
          const beforeLeaf = cursor === undefined ? undefined : (known[cursor]?.leafIndex ?? 0);
          const after = all.filter(({ leafIndex }) => beforeLeaf === undefined || leafIndex < beforeLeaf);
          const page = { offset, limit, ...(beforeLeaf === undefined ? {} : { beforeLeaf }) };
          const listed = await log.records.list(log.workspace.id, filters, page);
          expect(listed.items.map(({ record }) => record.id)).toEqual(
            after.slice(offset, offset + limit).map(({ id }) => id),
          );
          expect(listed).toMatchObject({ total: all.length, totalIsExact: true });
          for (const { record, status, leaf } of listed.items) {
            const expected = known.find(({ id }) => id === record.id);
            expect({ status, leaf: leaf.leaf_index, at: leaf.at }).toEqual({
              status: expected?.status,
              leaf: expected?.leafIndex,
              at: expected?.at,
            });
          }
          found += listed.items.length;
        },
      ),
      { numRuns: 250 },
    );
    expect(found).toBeGreaterThan(500);
  });

  it('holds no text, and of the events only redactions', async () => {
    const { items: records } = await log.records.list(log.workspace.id, {}, { offset: 0, limit: 200 });
    expect(records).toHaveLength(COUNT);
    for (const { sealed, events, status } of records) {
      if (sealed !== undefined && 'texts' in sealed) expect(sealed.texts).toBeNull();
      expect(events.map(({ event }) => event.event_type)).toEqual(status === 'redacted' ? ['redacted'] : []);
    }
  });

  it('of another workspace shows nothing of this one', async () => {
    const listed = await log.records.list(otherWorkspaceId, {}, { offset: 0, limit: 200 });
    expect(listed).toEqual({ items: [], total: 0, totalIsExact: true });
    expect(await log.records.find(otherWorkspaceId, known[0]?.id ?? '')).toBeUndefined();
  });
});

describe('an export', () => {
  it('is the first matching records, oldest first, with the number of all and the time of the next', async () => {
    await fc.assert(
      fc.asyncProperty(filtersOf, fc.integer({ min: 1, max: 40 }), async (filters, limit) => {
        const all = known.filter((record) => matches(record, filters));
        const exported = await log.records.export(log.workspace.id, filters, limit, Infinity);
        expect(exported.records.map(({ record }) => record.id)).toEqual(all.slice(0, limit).map(({ id }) => id));
        expect(exported.matching).toBe(all.length);
        expect(exported.nextCreatedAt).toBe(all[limit]?.at);
      }),
      { numRuns: 60 },
    );
  });

  it('ends before the contents of records and events are too many, but not before the first record', async () => {
    const { records: all } = await log.records.export(log.workspace.id, {}, 200, Infinity);
    const sizes = all.map(({ sealed, events }) =>
      [sealed, ...events.map((event) => event.sealed)].reduce(
        (sum, one) => sum + (one?.texts?.length ?? 0) + (one?.items?.length ?? 0),
        0,
      ),
    );
    const sizeOf = (count: number) => sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
    const property = fc.asyncProperty(
      fc.nat(sizeOf(COUNT) + 10),
      fc.integer({ min: 1, max: COUNT }),
      async (bytes, limit) => {
        const { records, matching, nextCreatedAt } = await log.records.export(log.workspace.id, {}, limit, bytes);
        const count = records.length;
        expect(records).toEqual(all.slice(0, count));
        expect([matching, nextCreatedAt]).toEqual([COUNT, all[count]?.leaf.at]);
        expect(count === 1 || sizeOf(count) <= bytes).toBe(true);
        expect(count === limit || count === COUNT || sizeOf(count + 1) > bytes).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it('holds what a single read of each record holds', async () => {
    const { records } = await log.records.export(log.workspace.id, {}, 200, Infinity);
    for (const record of records) expect(await log.records.find(log.workspace.id, record.record.id)).toEqual(record);
  });
});
