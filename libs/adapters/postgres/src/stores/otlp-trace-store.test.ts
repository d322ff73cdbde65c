import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { OtlpTraceRow } from '@answer-evidence/tables';
import { openPostgresWorkspace, type PostgresWorkspace } from '@answer-evidence/testing';
import { createOtlpStore } from '../index.ts';

let test: PostgresWorkspace;
beforeAll(async () => {
  test = await openPostgresWorkspace();
});
afterAll(() => test.close());

const ROUTED = { waiting: [], unattached: [], settled: [] };
/** In another order than that of their bytes, as they may be due and may stand in the table. */
const TRACES = ['b', 'a'];

const rowOf = (traceId: string): OtlpTraceRow => ({
  ...{ application_key: 'support-bot', trace_id: traceId, is_open: true, opened_at: 1, received_at: 1 },
  ...{ due_at: 100, size_bytes: 0 },
});

/** A transaction of the workspace. */
async function transact(end: 'commit' | 'rollback', run: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await test.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('answer_evidence.workspace_id', $1, true)`, [test.workspace.id]);
    await run(client);
  } finally {
    await client.query(end);
    client.release();
  }
}

/** Has only these traces there. */
function put(isOpen: boolean): Promise<void> {
  return transact('commit', async (client) => {
    await client.query('delete from answer_evidence.otlp_traces');
    for (const traceId of TRACES)
      await client.query(
        `insert into answer_evidence.otlp_traces (workspace_id, application_key, trace_id, is_open, opened_at,
           received_at, due_at, size_bytes) values ($1, 'support-bot', $2, $3, 1, 1, 100, 0)`,
        [test.workspace.id, traceId, isOpen],
      );
  });
}

const lock = (traceId: string, more = '') =>
  `select from answer_evidence.otlp_traces where trace_id = '${traceId}' for update ${more}`;

it.each([
  ['are decided', (traces: readonly OtlpTraceRow[]) => finish(traces)],
  ['are pulled in', () => store().pullInTraces(test.workspace.id, 1, 2)],
  ['are forgotten', (traces: readonly OtlpTraceRow[]) => store().forgetTraces(test.workspace.id, traces)],
])('traces that %s wait for the first that another transaction has before they lock the next', async (how, act) => {
  const isOpen = how !== 'are forgotten';
  await put(isOpen);
  let acted: Promise<void> = Promise.resolve();
  await transact('rollback', async (client) => {
    await client.query(lock('a'));
    acted = act(TRACES.map((traceId) => ({ ...rowOf(traceId), is_open: isOpen })));
    await untilWaiting();
    await expect(transact('rollback', (other) => other.query(lock('b', 'nowait')))).resolves.toBeUndefined();
  });
  await acted;
});

const store = () => createOtlpStore({ ...test, onJobs: () => undefined });

function finish(traces: readonly OtlpTraceRow[]): Promise<void> {
  const decided = traces.map((trace) => ({ trace, parts: [], dueAt: 5, forgottenAt: 6 }));
  return store().finishTraces(test.workspace.id, decided, ROUTED, 0);
}

/** Until a statement about traces waits for a lock of another transaction. */
async function untilWaiting(): Promise<void> {
  for (;;) {
    const { rows } = await test.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like '%otlp_traces%'`,
    );
    if (rows.length > 0) return;
  }
}
