import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { QueueBackend } from '@answer-evidence/ports';
import { openTestDatabase, openTestLogins, sessionOf, type TestDatabase } from '@answer-evidence/testing';
import { openPostgresQueues } from './index.ts';
import { formatListenerName } from './shared-listener.ts';

const TOPIC = 'trust.run';

describe('a worker that listens', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  const opened: QueueBackend[] = [];
  const ran = new Map<string, () => void>();

  async function openWorker(): Promise<QueueBackend> {
    const { answer_evidence_relay: url } = await openTestLogins(database.url);
    const queues = await openPostgresQueues({ ownerUrl: database.url, url, sessionOf, onError: () => undefined });
    opened.push(queues);
    queues.work(TOPIC, 1, ({ id }) => {
      ran.get(id)?.();
      return Promise.resolve();
    });
    return queues;
  }

  beforeEach(async () => {
    database = await openTestDatabase();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((queues) => queues.close()));
    await owner.end();
    await database.close();
  });

  function newJob() {
    const job = { id: randomUUID(), topic: TOPIC, workspace_id: randomUUID(), subject: null } as const;
    const { promise, resolve } = Promise.withResolvers<void>();
    ran.set(job.id, resolve);
    return { job, promise };
  }

  /** Resolves when the workers have nothing left to ask for: each waits to be told of a job. */
  async function settle(queues: QueueBackend): Promise<void> {
    const { job, promise } = newJob();
    await queues.enqueue([{ id: `${job.id}-0`, job }]);
    await promise;
    while ((await queues.counts(TOPIC)).running > 0);
  }

  async function listeners(): Promise<readonly number[]> {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = $1 order by pid`,
      [formatListenerName([TOPIC])],
    );
    return rows.map(({ pid }) => pid);
  }

  /** Puts a job into the queue, of which nobody is told; due at once, or a moment from now. */
  async function putUntold(delayMs?: number): Promise<void> {
    const { job, promise } = newJob();
    await owner.query(
      `insert into bullmq.job (queue, id, seq, name, state, data, opts, delay_ms, added_at_ms, process_at_ms)
       values ($1, $2, nextval('bullmq.job_seq'), $1, $3, $4, '{"removeOnComplete": true}', 0, $5::bigint, $6)`,
      [
        TOPIC,
        `${job.id}-0`,
        delayMs === undefined ? 'waiting' : 'delayed',
        job,
        Date.now(),
        delayMs === undefined ? null : Date.now() + delayMs,
      ],
    );
    await promise;
  }

  it.each([
    ['waits', undefined],
    ['comes due', 100],
  ])(
    'takes a job that %s and of which it was told nothing, and listens on another connection then',
    async (_, delay) => {
      await settle(await openWorker());
      const deaf = await listeners();
      expect(deaf).toHaveLength(1);
      let next = deaf;
      // A worker that was not waiting yet finds a job by itself.
      while (next.length === 0 || next[0] === deaf[0]) {
        await putUntold(delay);
        next = await listeners();
      }
      expect(next).toHaveLength(1);
    },
  );

  it('keeps its connection for as long as it is told', async () => {
    const [one, other] = [await openWorker(), await openWorker()];
    await settle(one);
    await settle(other);
    const before = await listeners();
    expect(before).toHaveLength(2);
    for (let n = 0; n < 20; n++) await settle(n % 2 === 0 ? one : other);
    expect(await listeners()).toEqual(before);
  });

  it('is told of jobs again when its connection is lost, as are the workers of other processes', async () => {
    const [one, other] = [await openWorker(), await openWorker()];
    await settle(one);
    await owner.query(`select pg_terminate_backend(pid) from unnest($1::int[]) pid`, [await listeners()]);
    for (let n = 0; n < 6; n++) await settle(n % 2 === 0 ? one : other);
  });
});
