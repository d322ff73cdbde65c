import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openPostgresQueues } from '@answer-evidence/bullmq';
import { openRedisQueues } from '@answer-evidence/bullmq/redis';
import { sessionOf } from '@answer-evidence/postgres';
import { hasRedis, startTestRedis, type TestRedis } from '@answer-evidence/testing';
import { type JobsTest, openJobsTest, until } from './fixtures/open-jobs-test.ts';

const PROGRAM = fileURLToPath(new URL('./fixtures/killed-worker.ts', import.meta.url));
const LOCK_MS = 1_000;
const PREFIX = 'killed-worker';
const onError = (): void => undefined;

let test: JobsTest;
let owner: pg.Pool;
let redis: TestRedis | undefined;

beforeAll(async () => {
  test = await openJobsTest();
  owner = new pg.Pool({ connectionString: test.workspace.databaseUrl });
  // Its database is dropped while the last connections are being closed.
  owner.on('error', onError);
  await owner.query('create table public.effects (job uuid primary key)');
  if (hasRedis()) redis = await startTestRedis();
});
afterEach(() => test.clear());
afterAll(async () => {
  await owner.end();
  await test.close();
  await redis?.close();
});

/** Runs the job in a process of its own, and kills that between what the job does and its end. */
async function killAtWork(redisUrl: string): Promise<string> {
  const { databaseUrl, logins } = test.workspace;
  const args = [PROGRAM, databaseUrl, logins.answer_evidence_relay, redisUrl, PREFIX, String(LOCK_MS)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGKILL');
  await once(child, 'exit');
  return line.toString('utf8').trim();
}

describe('a job whose worker is killed', () => {
  it.each(['PostgreSQL', ...(hasRedis() ? ['Redis'] : [])])('runs again, once effective, on %s', async (server) => {
    const [job] = await test.ask(1);
    expect(await killAtWork(server === 'Redis' ? (redis?.url ?? '') : '')).toBe(job?.id);
    expect(await test.undone()).toBe(1);
    const queue =
      server === 'Redis'
        ? await openRedisQueues({ url: redis?.url ?? '', prefix: PREFIX, onError, lockMs: LOCK_MS })
        : await openPostgresQueues({
            ownerUrl: test.workspace.databaseUrl,
            url: test.workspace.logins.answer_evidence_relay,
            sessionOf,
            onError,
            lockMs: LOCK_MS,
          });
    try {
      let runs = 0;
      const started = test.start(
        [
          {
            topic: 'trust.run',
            concurrency: 1,
            async run({ id }) {
              runs += 1;
              await owner.query('insert into public.effects (job) values ($1) on conflict do nothing', [id]);
            },
          },
        ],
        { queue },
      );
      await until(async () => (await test.undone()) === 0);
      await until(() => started.outcomes.length === 1);
      expect([runs, started.outcomes]).toEqual([1, ['done']]);
      const { rowCount } = await owner.query('select from public.effects where job = $1', [job?.id]);
      expect(rowCount).toBe(1);
      await started.stop();
    } finally {
      await queue.close();
    }
  });
});
