import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import type { Tables } from '../../verify/fixtures/tables.ts';
import { createWorkedLog } from '../../verify/fixtures/worked-log.ts';
import { anotherValue } from '../fixtures/another-value.ts';
import { createTablesReader, noWait } from '../fixtures/tables-reader.ts';
import { checkLeaves } from './check-leaves.ts';
import { Findings } from './findings.ts';
import { type CheckedLog, checkLedger } from './index.ts';

const { ledger } = await createWorkedLog();
const SIZE = ledger.tables.ledger_leaves.length;
const SIZES = ledger.tables.ledger_commits.map((commit) => commit.tree_size).toSorted((a, b) => a - b);

/** The log as a check saw it when it had that size, as it is kept: through JSON. */
async function seenAt(size: number): Promise<CheckedLog> {
  const tables = {
    ...ledger.tables,
    ledger_leaves: ledger.tables.ledger_leaves.filter((leaf) => leaf.leaf_index < size),
    ledger_commits: ledger.tables.ledger_commits.filter((commit) => commit.tree_size <= size),
  };
  const findings = new Findings(noWait);
  const { log } = await checkLeaves(createTablesReader(ledger.names, tables), findings);
  expect(findings.listed).toEqual([]);
  return JSON.parse(JSON.stringify(log)) as CheckedLog;
}

const check = (tables: Tables, since?: CheckedLog): Promise<LedgerCheckReport> =>
  checkLedger(createTablesReader(ledger.names, tables), noWait, { since });

const NAMES = ['answer_records', 'lifecycle_events', 'sealed_contents', 'ledger_leaves', 'workspace_entries'] as const;

/** The tables with one column of one row altered, and the leaf that the row hangs on. */
function altered(name: (typeof NAMES)[number], rowNumber: number, columnNumber: number) {
  const tables = structuredClone(ledger.tables);
  const rows = tables[name] as unknown as Record<string, unknown>[];
  const row = rows[rowNumber % rows.length] ?? {};
  const id = String(row['id'] ?? row['object_id']);
  const names = Object.keys(row).filter((column) => column !== 'leaf_index' && column !== 'due_at');
  const column = names[columnNumber % names.length] ?? '';
  row[column] = anotherValue(name, column, row[column]);
  return { tables, leafIndex: ledger.tables.ledger_leaves.find((leaf) => leaf.id === id)?.leaf_index ?? -1 };
}

describe('a check that goes on from an earlier one', () => {
  it('finds nothing in a sound log, wherever it begins, and ends with the state of one that began at leaf 0', async () => {
    const whole = await seenAt(SIZE);
    for (const size of SIZES) {
      let sound: CheckedLog | undefined;
      const reader = createTablesReader(ledger.names, ledger.tables);
      const since = await seenAt(size);
      const report = await checkLedger(reader, noWait, { since, onSound: (log) => (sound = log) });
      expect(report).toMatchObject({ outcome: 'PASS', findings: [], entries_checked: SIZE - size, tree_size: SIZE });
      expect(JSON.parse(JSON.stringify(sound))).toEqual(whole);
    }
  });

  it('finds every alteration of what came later', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...NAMES),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(...SIZES),
        async (name, row, column, size) => {
          const { leafIndex, tables } = altered(name, row, column);
          const [whole, going] = [await check(tables), await check(tables, await seenAt(size))];
          expect(whole.outcome).toBe('FAIL');
          if (leafIndex >= size) expect(going.outcome).toBe('FAIL');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('goes through an old record again of which a later entry speaks', async () => {
    const event = ledger.tables.lifecycle_events.at(-1);
    const leaf = ledger.tables.ledger_leaves.find((one) => one.id === event?.id);
    const size = SIZES.findLast((one) => one <= (leaf?.leaf_index ?? 0)) ?? 0;
    const tables = structuredClone(ledger.tables);
    const record = tables.answer_records.find((one) => one.id === event?.record_id);
    if (record === undefined) throw new Error('the event has a record');
    expect(tables.ledger_leaves.find((one) => one.id === record.id)?.leaf_index).toBeLessThan(size);
    Object.assign(record, { environment: 'other' });
    expect((await check(tables, await seenAt(size))).findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ check: 'record', object: `record ${record.id}` })]),
    );
  });

  it('has findings when the log does not hold the one that was checked', async () => {
    const [first] = SIZES.filter((size) => size > 3);
    const since = await seenAt(first ?? 0);
    const [half, ...rest] = since.frontier;
    const other = { ...since, frontier: [`00${half?.slice(2)}`, ...rest] };
    expect((await check(ledger.tables, other)).findings.map((finding) => finding.check)).toContain('head');
  });
});
