import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import type { CountedDays } from '@answer-evidence/ports';
import { prepareAnswer } from '../../fixtures/answers.ts';
import { prepareChange } from '../../fixtures/changes.ts';
import { explainStatements } from '../../fixtures/explain-statements.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import type { PostgresLedger } from '../index.ts';
import { createOverviewStore } from './overview-store.ts';

let log: TestLog;
let ledger: PostgresLedger;

beforeAll(async () => {
  log = await openTestLog();
  ledger = log.openLedger();
});

afterAll(async () => {
  await log.close();
});

const store = () => createOverviewStore(log.pool);
const today = () => Math.floor(log.clock.nowMicros() / MICROS_PER_DAY);

async function countAll(): Promise<void> {
  while (await store().countMore(log.workspace.id, log.clock.nowMicros())) {
    // The next piece.
  }
}

function read(days: Partial<CountedDays> = {}, nowMicros = log.clock.nowMicros()) {
  return store().read(log.workspace.id, {
    days: { from: today() - 29, to: today() + 1, unit: 'day', applicationsMax: 8, ...days },
    nowMicros,
    namedMax: 20,
  });
}

async function record(application: string, question: string): Promise<string> {
  let recordId = '';
  const onId = (id: string) => void (recordId = id);
  const columns = { application_key: application };
  await ledger.append(log.workspace.id, prepareAnswer(log, { question, columns, onId }));
  return recordId;
}

const change = (recordId: string, type: 'correction_appended' | 'voided' | 'redacted') =>
  ledger.append(log.workspace.id, prepareChange(log, { recordId, type }));

/** A completed run of a list of one day, of which the named references have no record. */
async function addRun(of: { references: readonly string[]; missing: readonly string[]; at: number }): Promise<string> {
  const [runId, entryId] = [log.newId(), log.newId()];
  const workspaceId = log.workspace.id;
  const [start, end] = [of.at, of.at + MICROS_PER_DAY];
  const run = async (text: string, values: readonly unknown[]) => {
    await log.owner.query(text, [...values]);
  };
  await run(
    `insert into answer_evidence.reconciliation_runs values ($1, $2, 'support-bot', 'production', 'idempotency_key',
       $3, $4, 0, $5, '\\x00', '{}', 0, null, '\\x00', '\\x00')`,
    [workspaceId, runId, start, end, of.references.length],
  );
  for (const [position, reference] of of.references.entries())
    await run('insert into answer_evidence.reconciliation_references values ($1, $2, $3, $4, $5, null, null)', [
      workspaceId,
      runId,
      position,
      reference,
      start + position,
    ]);
  for (const [position, reference] of of.missing.entries())
    await run(
      `insert into answer_evidence.reconciliation_findings values ($1, $2, $3, 'missing_service', $4, null, '{}')`,
      [workspaceId, runId, position, reference],
    );
  const { rows } = await log.owner.query<{ tree_size: number }>(
    'select tree_size from answer_evidence.ledger_heads where workspace_id = $1',
    [workspaceId],
  );
  const size = rows[0]?.tree_size ?? 0;
  await run(
    `insert into answer_evidence.ledger_leaves values ($1, $2, 'reconciliation_completed', $3, $1, 0, '\\x00', $4, '\\x00')`,
    [workspaceId, size, entryId, start],
  );
  await run(
    `insert into answer_evidence.workspace_entries (workspace_id, id, type, seq, core_json)
       values ($1, $2, 'reconciliation_completed', 0, $3)`,
    [workspaceId, entryId, JSON.stringify({ run_id: runId })],
  );
  await run('update answer_evidence.ledger_heads set tree_size = $2 where workspace_id = $1', [workspaceId, size + 1]);
  return runId;
}

it('counts each record on its day, and once for each thing that became of it', async () => {
  expect((await read()).counted).toBeUndefined();
  const [first, second, third] = [await record('a', 'one'), await record('a', 'two'), await record('b', 'three')];
  await change(first, 'correction_appended');
  await change(first, 'correction_appended');
  await change(first, 'voided');
  await countAll();
  // What comes later is added to what was counted.
  await change(first, 'redacted');
  await change(second, 'redacted');
  await change(second, 'redacted');
  await change(third, 'correction_appended');
  expect((await read()).counts).toMatchObject([
    { day: today(), application_key: 'a', recorded: 2, corrected: 1, voided: 1, redacted: 0 },
    { day: today(), application_key: 'b', recorded: 1, corrected: 0 },
  ]);
  await countAll();
  const { counts, counted, treeSize } = await read();
  expect(counts).toEqual([
    {
      ...{ day: today(), application_key: 'a', recorded: 2, corrected: 1, voided: 1, redacted: 2 },
      ...{ listed: 0, missing: 0, readings: 0 },
    },
    {
      ...{ day: today(), application_key: 'b', recorded: 1, corrected: 1, voided: 0, redacted: 0 },
      ...{ listed: 0, missing: 0, readings: 0 },
    },
  ]);
  expect(counted?.treeSize).toBe(treeSize);
  expect((await read({ applications: ['b'] })).counts.map(({ recorded }) => recorded)).toEqual([1]);
  // All but the largest are one sum.
  expect((await read({ applicationsMax: 1 })).counts).toMatchObject([
    { application_key: 'a', recorded: 2 },
    { application_key: null, recorded: 1 },
  ]);
});

it('is counted by one of two processes at a time, and never twice', async () => {
  await record('c', 'at once');
  await Promise.all([countAll(), countAll(), countAll()]);
  await countAll();
  expect((await read({ applications: ['c'] })).counts).toMatchObject([{ recorded: 1 }]);
});

describe('a list', () => {
  it('counts distinct references, and what no record answers until somebody resolves it or a newer list covers it', async () => {
    const at = (today() - 3) * MICROS_PER_DAY;
    const runId = await addRun({ references: ['1', '2', '3', '3'], missing: ['2', '3'], at });
    await countAll();
    const found = await read({ applications: ['support-bot'] });
    expect(found.counts).toMatchObject([{ day: today() - 3, listed: 3, missing: 2 }]);
    expect(found.open).toEqual([
      { application_key: 'support-bot', run_id: runId, missing: 2, oldest_missing_at: at + 1, unassigned: 0 },
    ]);
    await log.owner.query(
      `insert into answer_evidence.triage_steps values
         ($1, $2, 0, 1, 'resolve', $1, $1, 0, 'resolved', null, 'x', null, null, null)`,
      [log.workspace.id, runId],
    );
    expect((await read()).open).toMatchObject([{ missing: 1 }]);
    const newer = await addRun({ references: ['1', '2', '3'], missing: ['3'], at });
    await countAll();
    const later = await read({ applications: ['support-bot'] });
    expect(later.counts).toMatchObject([{ day: today() - 3, listed: 3, missing: 1 }]);
    expect(later.open).toMatchObject([{ run_id: newer, missing: 1 }]);
  });
});

describe('findings that were due before now', () => {
  it('are counted by run and time while they are open, as their newest step has it', async () => {
    const due = 1_000_000;
    const runId = await addRun({ references: ['1', '2', '3'], missing: ['1', '2', '3'], at: MICROS_PER_DAY });
    await countAll();
    const step = (position: number, version: number, state: string, dueAt: number | null) =>
      log.owner.query(
        `insert into answer_evidence.triage_steps
           (workspace_id, run_id, position, version, action, member_id, token_id, at, state, due_at)
           values ($1, $2, $3, $4, 'assign', $1, $1, 0, $5, $6)`,
        [log.workspace.id, runId, position, version, state, dueAt],
      );
    const overdue = async (at: number) =>
      (await read({}, at)).overdue.map(({ due_at: dueAt, findings, ...of }) => [dueAt, findings, of]);
    const of = { run_id: runId, application_key: 'support-bot' };
    await step(0, 1, 'open', due);
    await step(1, 1, 'open', due);
    await step(2, 1, 'open', due + 5);
    expect(await overdue(due)).toEqual([]);
    expect(await overdue(due + 1)).toEqual([[due, 2, of]]);
    expect(await overdue(due + 6)).toEqual([
      [due, 2, of],
      [due + 5, 1, of],
    ]);
    await step(0, 2, 'resolved', due);
    await step(1, 2, 'open', null);
    await step(2, 2, 'open', due + 7);
    expect(await overdue(due + 6)).toEqual([]);
    await step(0, 3, 'open', due);
    expect(await overdue(due + 8)).toEqual([
      [due, 1, of],
      [due + 7, 1, of],
    ]);
  });
});

it('finds what is overdue by when it was due, however many steps there are', async () => {
  const runId = await addRun({ references: ['1'], missing: ['1'], at: 2 * MICROS_PER_DAY });
  await countAll();
  await log.owner.query(
    `insert into answer_evidence.triage_steps
         (workspace_id, run_id, position, version, action, member_id, token_id, at, state, due_at)
       select $1, $2, n, 1, 'assign', $1, $1, 0, 'open', 1000 + n from generate_series(1, 20000) n`,
    [log.workspace.id, runId],
  );
  await log.owner.query('analyze answer_evidence.triage_steps');
  const explained = await explainStatements(log, async (pool) => {
    const found = await createOverviewStore(pool).read(log.workspace.id, {
      ...{ days: { from: 0, to: 1, unit: 'day', applicationsMax: 1 }, namedMax: 1 },
      nowMicros: 1_011,
    });
    expect(found.overdue.length).toBe(10);
  });
  const [asked] = explained.filter(({ text }) => text.includes('s.due_at < $2'));
  expect(asked?.nodes.filter((node) => node.includes('triage_steps'))).toContainEqual(
    expect.stringMatching(/Index.* triage_steps_due$/),
  );
  expect(asked?.pages).toBeLessThan(200);
});

describe('ten years of counts', () => {
  it('are read in months, from the counts alone', async () => {
    const [from, to] = [today() - 3_660, today() + 1];
    await log.owner.query(
      `insert into answer_evidence.daily_counts
         select $1, day, 'application ' || n, 400, 10, 2, 1, 3
           from generate_series($2::integer, $3::integer) day, generate_series(1, 12) n`,
      [log.workspace.id, from, to - 2],
    );
    const explained = await explainStatements(log, async (pool) => {
      const found = await createOverviewStore(pool).read(log.workspace.id, {
        days: { from, to, unit: 'month', applicationsMax: 8 },
        nowMicros: log.clock.nowMicros(),
        namedMax: 20,
      });
      expect(found.counts.length).toBeLessThanOrEqual(122 * 9);
      expect(found.counts.reduce((sum, { recorded }) => sum + recorded, 0)).toBeGreaterThan(17_000_000);
    });
    // None of them looks at records, with whose number they would grow; of holds, the one leaf of each is looked up.
    const ofRecords = explained.filter(({ nodes }) => nodes.some((node) => /answer_records|ledger_leaves/.test(node)));
    expect(ofRecords.filter(({ text }) => !text.includes('hold_placed'))).toEqual([]);
    for (const { nodes } of ofRecords) expect(nodes).toContain('Index Scan ledger_leaves_pkey');
  });
});
