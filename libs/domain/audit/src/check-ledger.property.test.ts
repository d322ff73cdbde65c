import { describe, expect, it } from '@jest/globals';
import { ledgerCheckReport } from '@answer-evidence/contracts';
import type { MemoryLedger } from '../../verify/fixtures/memory-ledger.ts';
import { type Tables } from '../../verify/fixtures/tables.ts';
import { createWorkedLog } from '../../verify/fixtures/worked-log.ts';
import { createTablesReader, noWait } from '../fixtures/tables-reader.ts';
import { checkLedger } from './index.ts';

type Row = { readonly [column: string]: unknown };
type TableName = keyof Tables;

const { ledger } = await createWorkedLog();
const TABLES: readonly TableName[] = [
  'ledger_leaves',
  'ledger_commits',
  'answer_records',
  'lifecycle_events',
  'record_states',
  'text_expiries',
  'trace_attachments',
  'sealed_contents',
  'idempotency_keys',
  'workspace_entries',
  'hash_keys',
  'tokens',
];

async function findingsWith(of: MemoryLedger, alter: (tables: Tables) => void) {
  // A change puts another row in the place of one: rows are shared.
  const tables = Object.fromEntries(Object.entries(of.tables).map(([name, rows]) => [name, [...rows]])) as Tables;
  alter(tables);
  const report = await checkLedger(createTablesReader(of.names, tables), noWait);
  ledgerCheckReport.parse(report);
  expect(report.outcome).toBe(report.findings_total === 0 ? 'PASS' : 'FAIL');
  return report.findings;
}

function rowsOf(tables: Tables, name: TableName): readonly Row[] {
  return tables[name];
}

function setRows(tables: Tables, name: TableName, rows: readonly Row[]): void {
  Object.assign(tables, { [name]: rows });
}

/** Other values of a column, of its own type and of the others that the database would take. */
function othersOf(value: unknown): readonly unknown[] {
  if (value instanceof Uint8Array) {
    const flip = (at: number) => value.map((byte, i) => (i === at ? byte ^ 1 : byte));
    return [flip(0), flip(value.length - 1), value.slice(1)];
  }
  if (typeof value === 'string') return [`${value} `, value.slice(0, -1), value.replace(/^./, 'e'), ''];
  if (typeof value === 'number') return [value + 1, value - 1];
  return ['x', 1, new Uint8Array(32)];
}

describe('a ledger as the service writes it', () => {
  it('has no finding, whatever is in it', async () => {
    const report = await checkLedger(createTablesReader(ledger.names, ledger.tables), noWait);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ outcome: 'PASS', tree_size: ledger.tables.ledger_leaves.length, findings_total: 0 });
  });

  it('has findings in each table when any column of any row is altered', async () => {
    const unnoticed: string[] = [];
    for (const name of TABLES) {
      const rows = rowsOf(ledger.tables, name);
      expect(rows.length).toBeGreaterThan(0);
      for (const [i, row] of rows.entries()) {
        for (const [column, value] of Object.entries(row)) {
          for (const other of othersOf(value)) {
            // When to look next: what would keep contents too long has a test of its own, and what does not changes
            // nothing.
            if (other === value || column === 'due_at') continue;
            const findings = await findingsWith(ledger, (tables) => {
              setRows(
                tables,
                name,
                rows.map((kept, n) => (n === i ? { ...kept, [column]: other } : kept)),
              );
            });
            if (findings.length === 0) unnoticed.push(`${name}[${i}].${column} = ${String(other)}`);
          }
        }
      }
    }
    expect(unnoticed).toEqual([]);
  });

  it('has findings when any row is deleted', async () => {
    for (const name of TABLES) {
      const rows = rowsOf(ledger.tables, name);
      for (const [i] of rows.entries()) {
        const without = rows.filter((_, n) => n !== i);
        const findings = await findingsWith(ledger, (tables) => setRows(tables, name, without));
        expect([name, i, findings.length > 0]).toEqual([name, i, true]);
      }
    }
  });

  it('has findings when any column of the head is altered, or the head is missing', async () => {
    const [head] = ledger.tables.ledger_heads;
    if (head === undefined) throw new Error('the fixture has a head');
    for (const [column, value] of Object.entries(head)) {
      for (const other of othersOf(value)) {
        const findings = await findingsWith(ledger, (tables) => {
          tables.ledger_heads[0] = { ...head, [column]: other };
        });
        expect(findings.map(({ check }) => check)).toContain('head');
      }
    }
    const gone = await findingsWith(ledger, (tables) => (tables.ledger_heads = []));
    expect(gone).toContainEqual({ check: 'head', object: 'head', leaf_index: null, detail: 'it is missing' });
  });

  it('never quotes what was stored of a text', async () => {
    const findings = await findingsWith(ledger, (tables) => {
      tables.sealed_contents = tables.sealed_contents.map((row) => ({ ...row, texts: row.items, items: row.texts }));
      tables.workspace_entries = tables.workspace_entries.map((row) => ({ ...row, core_json: '{"secret text' }));
    });
    expect(findings.length).toBeGreaterThan(5);
    for (const { detail } of findings) expect(detail).not.toMatch(/secret|warranty|Two years/);
  });
});

describe('a ledger with tiles', () => {
  it('has no finding with them, and names each one that is altered, missing, doubled or too many', async () => {
    const { ledger: big } = await createWorkedLog();
    const commands = Array.from({ length: 600 }, () => big.recordCommand({ question: { text: 'Why?' } }).command);
    await big.append(...commands.slice(0, 37));
    await big.append(...commands.slice(37));
    expect(big.tables.ledger_tiles.map(({ level, tile_index: index }) => `${level}/${index}`)).toEqual(['0/0', '0/1']);
    expect(await findingsWith(big, () => undefined)).toEqual([]);

    const [first, second] = big.tables.ledger_tiles;
    if (first === undefined || second === undefined) throw new Error('the fixture has two tiles');
    const cases: readonly (readonly [string, readonly Tables['ledger_tiles'][number][]])[] = [
      ['tile 0/0', [second]],
      ['tile 0/1', [first]],
      ['tile 0/1', [first, first]],
      ['tile 0/0', [first, first, second]],
      ['tile 0/2', [first, second, { ...first, tile_index: 2 }]],
      ['tile 1/0', [first, second, { ...first, level: 1 }]],
      ['tile 0/0', [{ ...first, root: second.root }, second]],
      ['tile 0/0', [{ ...first, hashes: second.hashes }, second]],
      ['tile 0/1', [first, { ...second, hashes: second.hashes.slice(32) }]],
    ];
    for (const [object, tiles] of cases) {
      const findings = await findingsWith(big, (tables) => (tables.ledger_tiles = [...tiles]));
      expect(findings.map((finding) => finding.object)).toContain(object);
      expect(findings.every(({ check }) => check === 'tile')).toBe(true);
    }
  });
});
