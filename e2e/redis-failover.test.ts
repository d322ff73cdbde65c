import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { hasSentinels, runOpenssl, startTestSentinels, type TestSentinels } from '@answer-evidence/testing';
import { runApp, runOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const MINUTES_MS = 60_000;
/** Within which docs/operations/faults.md promises that work goes on, also where a failover has lost jobs. */
const WORK_AGAIN_MS = 150_000;
/** How long the load goes on after the master has failed: longer than a failover takes. */
const LOAD_MS = 20_000;
const LANES = 4;

(hasSentinels() ? describe : describe.skip)('a failover of Redis by its Sentinels, under load', () => {
  let sentinels: TestSentinels;
  let service: TestService;
  let owner: pg.Client;
  beforeAll(async () => {
    sentinels = await startTestSentinels();
    service = await openTestService({ environment: { REDIS_URL: sentinels.url } });
    owner = new pg.Client({ connectionString: service.databaseUrl });
    await owner.connect();
    const { body } = await service.call('GET', '/api/trust/policy');
    const policy = { ...body, anchors: [{ id: 'disk', type: 'file' }] };
    expect((await service.call('PUT', '/api/trust/policy', { body: policy })).status).toBe(200);
  }, 2 * MINUTES_MS);
  afterAll(async () => {
    await owner.end();
    await service.close();
    await sentinels.close();
  }, MINUTES_MS);

  /** Waits until an anchor is confirmed that covers so many entries; the time it took. */
  async function anchor(entries: number): Promise<number> {
    const began = Date.now();
    for (;;) {
      // Again, since a run takes the newest checkpoint that is published by then.
      expect((await service.call('POST', '/api/trust/anchors/run', { body: {} })).status).toBe(202);
      const [newest] = (await service.call('GET', '/api/trust/anchors')).body.items;
      if (newest?.state === 'confirmed' && newest.tree_size >= entries) return Date.now() - began;
      if (Date.now() - began > 2 * WORK_AGAIN_MS) throw new Error(`not anchored: ${JSON.stringify(newest)}`);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
  }

  /** Creates records on several lanes; their statuses, and the entries that they came to. */
  async function load(): Promise<{ readonly statuses: ReadonlySet<number>; readonly entries: number }> {
    const until = Date.now() + LOAD_MS;
    const statuses = new Set<number>();
    let last = 0;
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        for (let n = 0; Date.now() < until; n++) {
          const body = answer(`question ${n} of lane ${lane}`);
          const created = await service.call('POST', '/api/answer-audit-logs', { body });
          statuses.add(created.status);
          last = Math.max(last, created.body.ledger.leaf_index);
        }
      }),
    );
    return { statuses, entries: last + 1 };
  }

  it.each([
    ['was killed', 'kill'],
    ['hangs, with its connections open', 'pause'],
  ] as const)(
    'loses nothing when the master %s, and background work goes on with the next one',
    async (_, way) => {
      await anchor(1);
      await sentinels.untilGuarded();
      const failed = await sentinels.master();
      const [{ statuses, entries }] = await Promise.all([load(), failed[way]()]);
      expect([...statuses]).toEqual([201]);
      // On a busy machine the Sentinels may take longer to agree than the load lasts.
      await until('the next master', async () => (await sentinels.master()) !== failed, WORK_AGAIN_MS);
      // Work may already have gone on during the load.
      expect(await anchor(entries)).toBeLessThan(WORK_AGAIN_MS);
      // What comes back is made a replica by the Sentinels, and what it still held is nobody's.
      await (way === 'kill' ? failed.start() : failed.resume());
      await sentinels.untilGuarded();
      await anchor(entries);
      await until(
        'an outbox in which nothing is overdue',
        async () => {
          const { rows } = await owner.query(
            'select topic from answer_evidence.outbox where due_at < extract(epoch from now()) * 1000000 - 10000000',
          );
          return rows.length === 0;
        },
        WORK_AGAIN_MS,
      );
      expect((await service.call('GET', '/api/dead-letters')).body.items).toEqual([]);
    },
    6 * MINUTES_MS,
  );

  it('is what the doctor looks at, who names a wrong master', async () => {
    const found = async (url: string) => {
      const environment = { REDIS_URL: url, DATABASE_URL: service.databaseUrl };
      const { stdout } = await runOperatorCommand(['doctor'], { dataDir: service.dataDir, environment });
      return stdout.split('\n').filter((line) => line.includes(' redis.'));
    };
    await sentinels.untilGuarded();
    expect(await found(sentinels.url)).toEqual(
      expect.arrayContaining([
        'PASS redis.sentinels: watch the master "ledger"',
        'PASS redis.failover: replicas: 1, Sentinels: 3, quorum: 2',
        'PASS redis.role: master',
      ]),
    );
    expect(await found(sentinels.url.replace('sentinelMasterId=ledger', 'sentinelMasterId=other'))).toEqual([
      expect.stringMatching(/^FAIL redis\.sentinels: .* watches no master "other"; correct sentinelMasterId/),
      expect.any(String),
    ]);
    expect(await found(sentinels.url.replace(/sentinelPassword=.*/, 'sentinelPassword=wrong'))).toEqual([
      expect.stringMatching(/^FAIL redis\.sentinels: .* rejects the user or password; correct sentinelUsername/),
      expect.any(String),
    ]);
  });
});

(hasSentinels() ? describe : describe.skip)('Sentinels and a Redis that speak TLS only', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-redis-tls-'));
    const request =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out cert -subj /CN=x';
    await runOpenssl(folder, [...request.split(' '), '-addext', 'subjectAltName=IP:127.0.0.1']);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it(
    'are used with rediss-sentinel:// and a trusted certificate, and refused otherwise with what to change',
    async () => {
      const certificate = join(folder, 'cert');
      const sentinels = await startTestSentinels({ certificate, key: join(folder, 'key') });
      const found = async (environment: Readonly<Record<string, string>>) => {
        const { stdout } = await runApp('operator', ['doctor'], { dataDir: folder, environment });
        return stdout.split('\n').filter((line) => line.includes(' redis.'));
      };
      try {
        const trusting = { REDIS_URL: sentinels.url, NODE_EXTRA_CA_CERTS: certificate };
        expect(await found(trusting)).toEqual(
          expect.arrayContaining([
            'PASS redis.failover: replicas: 1, Sentinels: 3, quorum: 2',
            'PASS redis.role: master',
            'PASS redis.tls: the connection is encrypted',
          ]),
        );
        expect(await found({ REDIS_URL: sentinels.url })).toEqual([
          expect.stringMatching(/certificate of Redis is not trusted.*NODE_EXTRA_CA_CERTS/),
        ]);
        expect(await found({ REDIS_URL: sentinels.url.replace('rediss-', 'redis-') })).toEqual([
          expect.stringContaining('Redis speaks TLS at this port; begin REDIS_URL with rediss instead of redis'),
        ]);
      } finally {
        await sentinels.close();
      }
    },
    2 * MINUTES_MS,
  );
});
