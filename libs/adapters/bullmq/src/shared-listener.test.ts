import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { JOB_TOPICS, type JobTopic } from '@answer-evidence/contracts';
import type { QueueBackend, ShownQueues } from '@answer-evidence/ports';
import { openTestDatabase, openTestLogins, sessionOf, type TestDatabase } from '@answer-evidence/testing';
import { openPostgresQueues } from './index.ts';
import { formatListenerName, namesWorker } from './shared-listener.ts';

const TOPICS = Object.keys(JOB_TOPICS) as JobTopic[];
const WORKED = TOPICS.filter((topic) => JOB_TOPICS[topic] === 'workspace');

it('names a connection so that every topic is found in it, and no other', () => {
  expect(Buffer.byteLength(formatListenerName(TOPICS))).toBeLessThanOrEqual(63);
  for (const listening of [TOPICS, ...TOPICS.map((topic) => [topic]), []]) {
    const name = formatListenerName(listening);
    expect(TOPICS.filter((topic) => namesWorker(name, topic))).toEqual(listening);
  }
  expect(TOPICS.filter((topic) => namesWorker('answer-evidence queues', topic))).toEqual([]);
});

describe('the workers of a process', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let queues: QueueBackend & ShownQueues;
  const ran = new Map<string, () => void>();

  beforeAll(async () => {
    database = await openTestDatabase();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    const { answer_evidence_relay: url } = await openTestLogins(database.url);
    queues = await openPostgresQueues({
      ownerUrl: database.url,
      url,
      sessionOf,
      onError: () => undefined,
    });
    for (const topic of WORKED)
      queues.work(topic, 1, ({ id }) => {
        ran.get(id)?.();
        return Promise.resolve();
      });
    await runOneEach();
  });
  afterAll(async () => {
    await queues.close();
    await owner.end();
    await database.close();
  });

  /** Resolves when each worker has run a job that was enqueued now. */
  async function runOneEach(): Promise<void> {
    await Promise.all(
      WORKED.map(async (topic) => {
        const job = { id: randomUUID(), topic, workspace_id: randomUUID(), subject: null };
        const { promise, resolve } = Promise.withResolvers<void>();
        ran.set(job.id, resolve);
        await queues.enqueue([{ id: `${job.id}-0`, job }]);
        await promise;
      }),
    );
  }

  async function listeners(): Promise<readonly number[]> {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = $1`,
      [formatListenerName(WORKED)],
    );
    return rows.map(({ pid }) => pid);
  }

  it('listen on one connection, and are found by their queues', async () => {
    expect(await listeners()).toHaveLength(1);
    const board = await queues.openBoard('/queues/');
    for (const topic of TOPICS) {
      const { body } = await board.get(`/api/queues/${topic}/workers`, new URLSearchParams());
      const { workers } = JSON.parse(String(body)) as { readonly workers: readonly unknown[] | null };
      // The board leaves workers out whose address it is not told, as PostgreSQL's are, and says of no others that
      // there are none.
      expect([topic, workers]).toEqual([topic, WORKED.includes(topic) ? null : []]);
    }
  });

  it('all go on when that connection is lost, on one after it', async () => {
    const [lost] = await listeners();
    await owner.query('select pg_terminate_backend($1)', [lost]);
    await runOneEach();
    // A worker may have found its job by looking for it, before the next connection was there.
    let next: readonly number[];
    do next = await listeners();
    while (next.length === 0 || next[0] === lost);
    expect(next).toHaveLength(1);
  });
});
