import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFairQueue } from './fair-queue.ts';

const A = { owner: 'a', key: 'a' };
const key = fc.constantFrom('a', 'b', 'c');

describe('a fair queue', () => {
  it('runs every task, never more at once than it may, and those of one key in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), async (keys, atOnce) => {
        const queue = createFairQueue(atOnce);
        const started: string[] = [];
        let running = 0;
        let most = 0;
        const tasks = keys.map((one, n) =>
          queue.run({ owner: one, key: one }, async () => {
            started.push(`${one}${n}`);
            most = Math.max(most, ++running);
            await Promise.resolve();
            running -= 1;
            return n;
          }),
        );
        expect(await Promise.all(tasks)).toEqual(keys.map((_, n) => n));
        expect(most).toBeLessThanOrEqual(atOnce);
        for (const one of ['a', 'b', 'c'])
          expect(started.filter((name) => name.startsWith(one))).toEqual(
            keys.flatMap((other, n) => (other === one ? [`${one}${n}`] : [])),
          );
      }),
    );
  });

  it('lets a newcomer wait for one task of each other key, however many there are', async () => {
    const queue = createFairQueue(1);
    const done: string[] = [];
    const run = (who: string) => queue.run({ owner: who, key: who }, () => Promise.resolve(void done.push(who)));
    const busy = ['busy', 'busy', 'busy', 'busy', 'other', 'other'].map(run);
    await Promise.all([...busy, run('newcomer')]);
    expect(done.indexOf('newcomer')).toBeLessThanOrEqual(3);
  });

  it('keeps a place for others while the tasks of one owner take forever', async () => {
    const queue = createFairQueue(2);
    const started: string[] = [];
    const forever = (owner: string, key: string) =>
      void queue.run({ owner, key }, () => new Promise<void>(() => void started.push(key)));
    for (const key of ['a1', 'a2', 'a3', 'a4']) forever('a', key);
    await queue.run({ owner: 'b', key: 'b1' }, () => Promise.resolve());
    forever('b', 'b2');
    await Promise.resolve();
    expect(started).toEqual(['a1', 'b2']);
  });

  it('refuses what one key has waiting beyond its bound, and nothing of others', async () => {
    const queue = createFairQueue(2, 3);
    const ends: (() => void)[] = [];
    const held = (owner: string) =>
      queue.run({ owner, key: owner }, () => new Promise<void>((end) => void ends.push(end)));
    const one = Array.from({ length: 6 }, () => held('a'));
    const outcomes = Promise.allSettled(one);
    await expect(one[5]).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 5 });
    await queue.run({ owner: 'b', key: 'b' }, () => Promise.resolve());
    for (let n = 0; n < 4; n++) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await outcomes).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'fulfilled'),
      ...Array.from({ length: 2 }, () => 'rejected'),
    ]);
  });

  it('goes on after a task that fails', async () => {
    const queue = createFairQueue(1);
    await expect(queue.run(A, () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
    await expect(queue.run(A, () => Promise.resolve(1))).resolves.toBe(1);
  });
});
