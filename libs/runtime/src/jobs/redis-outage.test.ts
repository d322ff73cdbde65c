import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openRedisQueues, RedisRefusedError } from '@answer-evidence/bullmq/redis';
import type { QueueBackend } from '@answer-evidence/ports';
import { hasRedis, startTestRedis, type TestRedis } from '@answer-evidence/testing';
import { type JobsTest, openJobsTest, until } from './fixtures/open-jobs-test.ts';

let test: JobsTest;
let redis: TestRedis;
let queue: QueueBackend | undefined;
const onError = (): void => undefined;

(hasRedis() ? describe : describe.skip)('while Redis is unavailable', () => {
  beforeAll(async () => {
    test = await openJobsTest();
    redis = await startTestRedis();
  });
  afterEach(async () => {
    await test.clear();
    await queue?.close();
  });
  afterAll(async () => {
    await test.close();
    await redis.close();
  });

  it.each(['with what it had', 'empty'])('jobs are taken in all the same, and done when it is back %s', async (how) => {
    queue = await openRedisQueues({ url: redis.url, prefix: `outage-${how.length}`, onError, lockMs: 1_000 });
    const done = new Set<string>();
    const started = test.start(
      [{ topic: 'trust.run', concurrency: 4, run: ({ id }) => Promise.resolve(void done.add(id)) }],
      { queue, sweepMs: 200 },
    );
    const asked: string[] = [];
    const ask = async (): Promise<void> => {
      asked.push(...(await test.ask(20)).map(({ id }) => id));
    };
    await ask();
    await until(() => done.size === 20);
    for (let n = 0; n < 5; n++) await ask();
    await redis.kill();
    for (let n = 0; n < 5; n++) await ask();
    await until(() => started.states.some(([what, works]) => what === 'relay' && !works));
    expect(await test.undone()).toBeGreaterThanOrEqual(100);
    await redis.start();
    if (how === 'empty') await redis.command('FLUSHALL');
    await until(async () => (await test.undone()) === 0);
    expect([...done].toSorted()).toEqual(asked.toSorted());
  });

  it('a queue opens, fails soon, and works when it is there', async () => {
    await redis.kill();
    queue = await openRedisQueues({ url: redis.url, prefix: 'late', onError });
    await expect(queue.counts('trust.run')).rejects.toThrow('unavailable');
    const done: string[] = [];
    test.start([{ topic: 'trust.run', concurrency: 1, run: ({ id }) => Promise.resolve(void done.push(id)) }], {
      queue,
    });
    await test.ask(1);
    await redis.start();
    await until(() => done.length === 1);
  });

  it('a Redis that drops jobs when its memory is full is refused, with what to do', async () => {
    const forgetful = await startTestRedis({ 'maxmemory-policy': 'allkeys-lru' });
    try {
      const opening = openRedisQueues({ url: forgetful.url, prefix: 'refused', onError });
      await expect(opening).rejects.toThrow(RedisRefusedError);
      await expect(opening).rejects.toThrow('set it to noeviction');
    } finally {
      await forgetful.close();
    }
  });

  it('a Redis that refuses the password is refused, without showing it', async () => {
    const closed = await startTestRedis();
    try {
      await closed.command('CONFIG', 'SET', 'requirepass', 'right');
      const url = closed.url.replace('redis://', 'redis://:wrong-password@');
      await expect(openRedisQueues({ url, prefix: 'refused', onError })).rejects.toThrow(
        'Redis rejects the user or password; correct REDIS_URL',
      );
    } finally {
      await closed.close();
    }
  });
});
