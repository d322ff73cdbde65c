import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasRedis, startTestRedis, type TestRedis } from '@answer-evidence/testing';
import { answerSpan, OTEL, traces } from '../tools/scenery/otlp.ts';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const MINUTES_MS = 60_000;
/** How long Redis is unavailable under load: several times what any connection or job waits before it tries again. */
const AWAY_MS = 20_000;
const LANES = 4;
/** Between two creates of a lane: as fast as they go, they would keep a processor busy all the while. */
const PACE_MS = 100;

type Anchor = { readonly tree_size: number; readonly state: string };

(hasRedis() ? describe : describe.skip)('while Redis is unavailable', () => {
  let redis: TestRedis;
  let service: TestService;
  beforeAll(async () => {
    redis = await startTestRedis();
    service = await openTestService({ environment: { REDIS_URL: redis.url } });
    const { body } = await service.call('GET', '/api/trust/policy');
    const policy = { ...body, anchors: [{ id: 'disk', type: 'file' }] };
    expect((await service.call('PUT', '/api/trust/policy', { body: policy })).status).toBe(200);
  }, MINUTES_MS);
  afterAll(async () => {
    await service.close();
    await redis.close();
  }, MINUTES_MS);

  /** Waits until the newest anchor is confirmed and covers at least so many entries. */
  async function untilAnchored(entries: number): Promise<void> {
    const deadline = Date.now() + 2 * MINUTES_MS;
    for (;;) {
      const [newest] = (await service.call('GET', '/api/trust/anchors')).body.items as Anchor[];
      if (newest?.state === 'confirmed' && newest.tree_size >= entries) return;
      if (Date.now() > deadline) throw new Error(`not anchored: ${JSON.stringify(newest)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  it(
    'every create is answered as ever, work that is asked for is kept, and the backlog is done afterwards',
    async () => {
      await service.call('POST', '/api/trust/anchors/run', { body: {} });
      await untilAnchored(1);
      await redis.kill();
      const endsAt = Date.now() + AWAY_MS;
      const statuses = new Map<number, number>();
      let last = 0;
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          for (let n = 0; Date.now() < endsAt; n++) {
            const { status, body } = await service.call('POST', '/api/answer-audit-logs', {
              body: answer(`question ${n} of lane ${lane}`),
            });
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            last = Math.max(last, body.ledger.leaf_index);
            await delay(PACE_MS);
          }
        }),
      );
      expect([...statuses.keys()]).toEqual([201]);
      expect(statuses.get(201)).toBeGreaterThan(100);
      expect((await service.call('POST', '/api/trust/anchors/run', { body: {} })).status).toBe(202);
      await redis.start();
      await untilAnchored(last + 1);
      expect((await service.call('GET', '/api/dead-letters')).body.items).toEqual([]);
    },
    4 * MINUTES_MS,
  );

  it(
    'spans are answered 200, and become records when it is back',
    async () => {
      await redis.kill();
      const reply = await service.call('POST', OTEL, { body: traces([answerSpan(1, 'kept')]) });
      expect([reply.status, reply.body]).toEqual([200, {}]);
      await redis.start();
      const list = '/api/answer-audit-logs?idempotency_key=kept';
      await until('the record', async () => (await service.call('GET', list)).body.total === 1);
    },
    2 * MINUTES_MS,
  );
});
