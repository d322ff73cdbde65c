import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { JOB_TOPICS } from '@answer-evidence/contracts';
import type { QueueBackend, QueueBoard, ShownQueues } from '@answer-evidence/ports';
import {
  hasRedis,
  openTestDatabase,
  openTestLogins,
  sessionOf,
  startTestRedis,
  type TestDatabase,
  type TestRedis,
} from '@answer-evidence/testing';
import { openPostgresQueues } from '../postgres-queues.ts';
import { openRedisQueues } from '../redis-queues.ts';

const BACKENDS = ['PostgreSQL', 'Redis'] as const;
const onError = () => undefined;
const NO_QUERY = new URLSearchParams();
const SECRET = 'a text that nobody may see';

describe.each(hasRedis() ? BACKENDS : BACKENDS.slice(0, 1))('the board of queues on %s', (kind) => {
  let database: TestDatabase | undefined;
  let redis: TestRedis | undefined;
  let queues: QueueBackend & ShownQueues;
  let board: QueueBoard;
  const job = { id: randomUUID(), topic: 'trust.run', workspace_id: randomUUID(), subject: null } as const;

  beforeAll(async () => {
    if (kind === 'Redis') {
      redis = await startTestRedis();
      queues = await openRedisQueues({ url: redis.url, prefix: 'board', onError });
    } else {
      database = await openTestDatabase();
      const { answer_evidence_relay: url } = await openTestLogins(database.url);
      queues = await openPostgresQueues({ ownerUrl: database.url, url, onError, sessionOf });
    }
    await queues.enqueue([{ id: `${job.id}-0`, job }]);
    await queues.schedule({ name: 'publish', topic: 'trust.publish', everyMs: 60_000 });
    board = await queues.openBoard('/queues/');
  });
  afterAll(async () => {
    await queues.close();
    await database?.close();
    await redis?.close();
  });

  /** Puts a text into every part of a job that an error, a worker or somebody else could fill. */
  async function spoil(id: string): Promise<void> {
    const stacktrace = JSON.stringify([`Error: ${SECRET}\n    at somewhere`]);
    if (redis !== undefined) {
      const parts = { name: SECRET, failedReason: SECRET, defa: SECRET, stacktrace, returnvalue: `"${SECRET}"` };
      for (const [name, value] of Object.entries({ ...parts, progress: `"${SECRET}"`, opts: `{"x":"${SECRET}"}` }))
        expect(await redis.command('HSET', `board:trust.run:${id}`, name, value)).toMatch(/^:/);
      await redis.command('RPUSH', `board:trust.run:${id}:logs`, SECRET);
      return;
    }
    const owner = new pg.Client({ connectionString: database?.url });
    await owner.connect();
    const { rowCount } = await owner.query(
      `update bullmq.job set name = $2, failed_reason = $2, stacktrace = $3, return_value = to_jsonb($2::text),
         progress = to_jsonb($2::text) where id = $1`,
      [id, SECRET, stacktrace],
    );
    await owner.end();
    expect(rowCount).toBe(1);
  }

  async function read(path: string, query: Readonly<Record<string, string>> = {}): Promise<any> {
    const { status, body } = await board.get(path, new URLSearchParams(query));
    return { status, body: JSON.parse(String(body)) };
  }

  it('lists every topic with its counts, read only', async () => {
    const { status, body } = await read('/api/queues', { activeQueue: 'trust.run', page: '1', jobsPerPage: '10' });
    expect(status).toBe(200);
    expect(body.queues.map(({ name }: any) => name).toSorted()).toEqual(Object.keys(JOB_TOPICS).toSorted());
    expect(body.queues.every(({ readOnlyMode, allowRetries }: any) => readOnlyMode && !allowRetries)).toBe(true);
    const shown = body.queues.find(({ name }: any) => name === 'trust.run');
    expect(shown).toMatchObject({ counts: { waiting: 1, active: 0 }, jobs: [{ id: `${job.id}-0`, data: job }] });
  });

  it('shows one job, and the schedules', async () => {
    expect(await read(`/api/queues/trust.run/${job.id}-0`)).toMatchObject({
      status: 200,
      body: { job: { data: job } },
    });
    expect(JSON.stringify(await read('/api/job-schedulers'))).toContain('trust.publish');
  });

  it('shows nothing of what is not a job, and does not fail for it', async () => {
    const forged = { ...job, id: randomUUID(), question: 'a text that nobody may see here' };
    await queues.enqueue([{ id: `${forged.id}-0`, job: forged }]);
    const { body } = await board.get(`/api/queues/trust.run/${forged.id}-0`, NO_QUERY);
    expect(String(body)).toContain('not a job of this release');
    const list = await board.get('/api/queues', new URLSearchParams({ activeQueue: 'trust.run', jobsPerPage: '10' }));
    expect(`${String(body)}${String(list.body)}`).not.toContain('nobody may see');
  });

  it('shows no error, result, name, option, log or id that somebody put into a queue', async () => {
    const shown = { ...job, id: randomUUID() };
    const id = `${shown.id}-0`;
    await queues.enqueue([{ id, job: shown }]);
    await queues.enqueue([{ id: `${SECRET} as an id`, job: { ...job, id: randomUUID() } }]);
    await spoil(id);
    const bodies: string[] = [];
    for (const path of [
      `/api/queues/trust.run/${id}`,
      `/api/queues/trust.run/${id}/logs`,
      `/api/queues/trust.run/${id}/flow`,
      '/api/job-schedulers',
      '/api/queues/trust.run/workers',
      '/api/queues/trust.run/default-job-options',
      '/api/queues/trust.run/job-data-schema',
    ]) {
      const { status, body } = await board.get(path, NO_QUERY);
      expect([path, status]).toEqual([path, 200]);
      bodies.push(String(body));
    }
    const query = { activeQueue: 'trust.run', jobsPerPage: '50' };
    bodies.push(String((await board.get('/api/queues', new URLSearchParams(query))).body));
    expect(bodies.filter((body) => body.includes(SECRET))).toEqual([]);
    expect((await read(`/api/queues/trust.run/${id}`)).body.job).toMatchObject({
      id,
      isFailed: true,
      failedReason: expect.stringContaining('not shown'),
    });
  });

  it('tells what the queues are on', async () => {
    expect((await read('/api/redis/stats')).body.backend).toBe(kind === 'Redis' ? 'redis' : 'postgres');
  });

  it('has pages that load nothing from another host, and files by their names only', async () => {
    const page = await board.get('/queue/trust.run', NO_QUERY);
    expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    const html = String(page.body);
    expect(html).toContain('<base href="/queues/"');
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\/|<%/);
    const named = [...html.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(3);
    for (const path of named) expect([path, (await board.get(`/${path}`, NO_QUERY)).status]).toEqual([path, 200]);
    for (const path of ['/static/../index.ejs', '/static/', '/index.ejs', '/api/queues/pause'])
      expect([path, (await board.get(path, NO_QUERY)).status]).toEqual([path, 404]);
  });
});
