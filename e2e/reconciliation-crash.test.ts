import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { checkStoredLedger } from '@answer-evidence/postgres';
import { type ServiceProcess, startReconciliationWorker, until } from '../tools/scenery/service-process.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const DEADLINE_MS = 180_000;
const RECORDS = 40;

let service: TestService;
let database: pg.Client;
/** Holds what a worker has to wait for. */
let holder: pg.Client;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  service = await openTestService({ stages: ['workspace', 'ingest'] });
  database = new pg.Client({ connectionString: service.databaseUrl });
  holder = new pg.Client({ connectionString: service.databaseUrl });
  await Promise.all([database.connect(), holder.connect()]);
}, DEADLINE_MS);

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all(workers.map(({ exited }) => exited));
  await Promise.all([database.end(), holder.end()]);
  await service.close();
}, DEADLINE_MS);

async function startWorker(): Promise<{ readonly process: ServiceProcess; readonly url: string }> {
  const environment = { DATABASE_URL: service.databaseUrl, SERVICE_LOG_LEVEL: 'error' };
  const process = startReconciliationWorker({ dataDir: service.dataDir, environment });
  workers.push(process);
  return { process, url: await process.ready };
}

async function ask(url: string, method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${service.managerToken}`, 'Content-Type': 'application/json' };
  const reply = await fetch(`${url}/api/reconciliations/runs${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply;
}

async function isTrue(sql: string, values: readonly unknown[] = []): Promise<boolean> {
  const { rows } = await database.query<{ holds: boolean }>(`select (${sql}) as holds`, [...values]);
  return rows[0]?.holds === true;
}

/** Stops the worker where it must wait for a lock, and kills it there. */
const whileWaitingFor = (lock: string) => async (worker: ServiceProcess) => {
  await until(
    `the worker to wait for ${lock}`,
    () =>
      isTrue(`exists (select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database())`),
    DEADLINE_MS,
  );
  worker.kill('SIGKILL');
};

const STROKES = [
  {
    what: 'its record set and findings are being stored',
    hold: 'lock table answer_evidence.reconciliation_findings in exclusive mode',
    strike: whileWaitingFor('the findings'),
  },
  {
    what: 'it is decided and its entry is being appended',
    hold: 'select from answer_evidence.ledger_heads for update',
    strike: whileWaitingFor('the head'),
  },
] as const;

describe('a reconciliation worker that is killed', () => {
  it(
    'has its runs completed by another with the same findings and one entry each',
    async () => {
      const first = Date.now() - 60_000;
      for (let n = 0; n < RECORDS; n++) {
        const body = answer(`question ${n}`, 'an answer', { idempotency_key: `key-${n}` });
        expect((await service.call('POST', '/api/answer-audit-logs', { body })).status).toBe(201);
      }
      const request = {
        application_key: 'support-bot',
        window_start: new Date(first).toISOString(),
        window_end: new Date(first + 3_600_000).toISOString(),
        match_on: 'idempotency_key',
        references: Array.from({ length: RECORDS }, (_, n) => ({
          reference_id: n % 5 === 0 ? `lost-${n}` : `key-${n}`,
          occurred_at: new Date(Date.now()).toISOString(),
        })),
      };
      const runs: string[] = [];
      for (const { what, hold, strike } of STROKES) {
        await holder.query('begin');
        await holder.query(hold);
        const worker = await startWorker();
        runs.push(((await (await ask(worker.url, 'POST', '', request)).json()) as { id: string }).id);
        await strike(worker.process);
        expect({ what, signal: (await worker.process.exited).signal }).toEqual({ what, signal: 'SIGKILL' });
        await holder.query('rollback');
      }
      const last = await startWorker();
      runs.push(((await (await ask(last.url, 'POST', '', request)).json()) as { id: string }).id);
      const found: unknown[] = [];
      for (const id of runs) {
        const read = async () => (await (await ask(last.url, 'GET', `/${id}`)).json()) as { status: string };
        await until(`run ${id} is completed`, async () => (await read()).status === 'completed', DEADLINE_MS);
        found.push(await (await ask(last.url, 'GET', `/${id}/findings?format=jsonl`)).text());
      }
      // The last one nobody has disturbed.
      expect(found).toEqual(runs.map(() => found.at(-1)));
      expect(String(found[0]).split('\n')).toHaveLength((2 * RECORDS) / 5 + 1);
      const { rows } = await database.query<{ core_json: string }>(
        `select core_json from answer_evidence.workspace_entries where type = 'reconciliation_completed'`,
      );
      const completed = rows.map((row) => (JSON.parse(row.core_json) as { run_id: string }).run_id);
      expect(completed.toSorted()).toEqual(runs.toSorted());

      const { stores } = await openStoresOn(service);
      const [workspace] = await stores.directory.list();
      if (workspace === undefined) throw new Error('there is a workspace');
      expect((await checkStoredLedger(stores.pool, workspace, () => Promise.resolve())).findings).toEqual([]);
      await stores.close();
    },
    3 * DEADLINE_MS,
  );
});
