import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import { type Tables } from '../../verify/fixtures/tables.ts';
import { createWorkedLog } from '../../verify/fixtures/worked-log.ts';
import { anotherValue } from '../fixtures/another-value.ts';
import { createTablesReader, noWait } from '../fixtures/tables-reader.ts';
import { type CheckedRange, checkLedger, type CheckOptions, type CheckProgress, checkRange } from './index.ts';

const { ledger } = await createWorkedLog();
const NAMES = ['answer_records', 'lifecycle_events', 'sealed_contents', 'idempotency_keys', 'ledger_leaves'] as const;

type Alteration = { readonly table: (typeof NAMES)[number]; readonly row: number; readonly column: number };

const alteration: fc.Arbitrary<Alteration> = fc.record({
  table: fc.constantFrom(...NAMES),
  row: fc.nat(),
  column: fc.nat(),
});

function alter(tables: Tables, { column, row, table }: Alteration): void {
  const rows = tables[table] as unknown as Record<string, unknown>[];
  const victim = rows[row % rows.length];
  if (victim === undefined) return;
  const names = Object.keys(victim).filter((name) => name !== 'leaf_index');
  const name = names[column % names.length] ?? '';
  victim[name] = anotherValue(table, name, victim[name]);
}

/** Tables of the same log with these alterations. */
function altered(alterations: readonly Alteration[]): Tables {
  const tables = structuredClone(ledger.tables);
  for (const one of alterations) alter(tables, one);
  return tables;
}

const check = (tables: Tables, options?: CheckOptions): Promise<LedgerCheckReport> =>
  checkLedger(createTablesReader(ledger.names, tables), noWait, options);

/** Ranges as threads check them: several at once, ready in another order, and copied on their way. */
function inThreads(tables: Tables, atOnce: number, delays: readonly number[]): CheckOptions {
  let begun = 0;
  return {
    ranges: {
      atOnce,
      async check(range, settings) {
        const rounds = delays[begun++ % delays.length] ?? 0;
        for (let n = 0; n < rounds; n++) await Promise.resolve();
        const reader = createTablesReader(ledger.names, tables);
        return structuredClone(await checkRange(range, structuredClone(settings), reader, noWait));
      },
    },
  };
}

/** Progress that is kept in memory. */
function createProgress(): CheckProgress & { readonly kept: Map<number, CheckedRange> } {
  const kept = new Map<number, CheckedRange>();
  let before: CheckProgress['before'];
  return {
    kept,
    get before() {
      return before;
    },
    begin(log, isSame) {
      if (!isSame) kept.clear();
      before = isSame && before !== undefined ? before : log;
      return Promise.resolve(before.treeSize);
    },
    find({ from, to }) {
      const checked = kept.get(from);
      return Promise.resolve(checked?.to === to ? checked : undefined);
    },
    keep(checked) {
      kept.set(checked.from, checked);
      return Promise.resolve();
    },
    claim: () => Promise.resolve(() => Promise.resolve()),
  };
}

describe('a check in parts', () => {
  it('reports the same, word for word, however many ranges are checked at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(alteration, { maxLength: 4 }),
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
        async (alterations, atOnce, delays) => {
          const tables = altered(alterations);
          expect(await check(tables, inThreads(tables, atOnce, delays))).toEqual(await check(tables));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('goes on after an interruption with the report of one that had none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(alteration, { maxLength: 3 }), fc.nat(20), async (alterations, after) => {
        const tables = altered(alterations);
        const progress = createProgress();
        let left = after;
        const dying: CheckOptions = {
          progress,
          blockLeaves: 7,
          ranges: {
            atOnce: 1,
            check: (range, settings) =>
              left-- > 0
                ? checkRange(range, settings, createTablesReader(ledger.names, tables), noWait)
                : Promise.reject(new Error('interrupted')),
          },
        };
        await check(tables, dying);
        const known = progress.kept.size;
        let read = 0;
        const report = await check(tables, {
          progress,
          blockLeaves: 7,
          ranges: {
            atOnce: 2,
            check: (range, settings) => {
              read += 1;
              return checkRange(range, settings, createTablesReader(ledger.names, tables), noWait);
            },
          },
        });
        expect(report).toEqual(await check(tables));
        expect(read).toBe(progress.kept.size - known);
      }),
      { numRuns: 40 },
    );
  });

  it('forgets what it knew of a log that does not hold the one that was checked', async () => {
    const progress = createProgress();
    await check(ledger.tables, { progress, blockLeaves: 7 });
    const known = progress.kept.size;
    expect(known).toBeGreaterThan(1);
    const other = structuredClone(ledger.tables);
    const [first] = other.ledger_leaves;
    if (first !== undefined) Object.assign(first, { leaf_hash: first.leaf_hash.map((byte) => byte ^ 1) });
    let read = 0;
    const counting = inThreads(other, 1, [0]);
    await check(other, {
      progress,
      blockLeaves: 7,
      ranges: {
        atOnce: 1,
        check: (range, settings) => {
          read += 1;
          return counting.ranges!.check(range, settings);
        },
      },
    });
    expect(read).toBe(known);
  });

  it('reads a range again that a new leaf is about', async () => {
    const progress = createProgress();
    await check(ledger.tables, { progress, blockLeaves: 7 });
    const event = ledger.tables.ledger_leaves.findLast((leaf) => leaf.type === 'lifecycle_event');
    const record = ledger.tables.ledger_leaves.find((leaf) => leaf.id === event?.subject);
    if (event === undefined || record === undefined) throw new Error('the fixture has an event');
    const reader = createTablesReader(ledger.names, ledger.tables);
    const own = [...progress.kept.values()].find(({ from, to }) => record.leaf_index >= from && record.leaf_index < to);
    if (own === undefined) throw new Error('the record is in a range');
    expect(await reader.isAboutRange(own, event.leaf_index)).toBe(true);
    expect(await reader.isAboutRange(own, ledger.tables.ledger_leaves.length)).toBe(false);
  });
});
