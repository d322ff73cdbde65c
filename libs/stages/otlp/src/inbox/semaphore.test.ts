import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Semaphore } from './semaphore.ts';

const never = () => new Promise<void>(() => undefined);

/** Asks for a grant, and notes who got one and who did not. */
function ask(semaphore: Semaphore, who: string, count: number, given: string[], timeUp = never): void {
  void semaphore.acquire(count, timeUp).then((isGranted) => given.push(isGranted ? who : `${who} none`));
}
const settled = () => new Promise((resolve) => void setImmediate(resolve));

describe('a semaphore', () => {
  it('is given in the order in which it is asked for, also to small ones behind a large one', async () => {
    const semaphore = new Semaphore(10);
    const given: string[] = [];
    ask(semaphore, 'a', 6, given);
    ask(semaphore, 'large', 8, given);
    ask(semaphore, 'small', 1, given);
    await settled();
    expect(given).toEqual(['a']);
    semaphore.release(6);
    await settled();
    expect(given).toEqual(['a', 'large', 'small']);
  });

  it('is not given after the time, and then those behind come up', async () => {
    const semaphore = new Semaphore(10);
    const given: string[] = [];
    const time = Promise.withResolvers<undefined>();
    ask(semaphore, 'a', 6, given);
    ask(semaphore, 'large', 8, given, () => time.promise);
    ask(semaphore, 'small', 4, given);
    time.resolve(undefined);
    await settled();
    expect(given).toEqual(['a', 'large none', 'small']);
    semaphore.release(10);
    expect(semaphore.isIdle).toBe(true);
  });

  it('is given whole to one who needs more than there is', async () => {
    const semaphore = new Semaphore(10);
    const given: string[] = [];
    ask(semaphore, 'a', 1, given);
    ask(semaphore, 'huge', 11, given);
    await settled();
    expect(given).toEqual(['a']);
    semaphore.release(1);
    await settled();
    expect(given).toEqual(['a', 'huge']);
  });

  it('is never overfull, and in the end everybody had it', async () => {
    const counts = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(counts, async (all) => {
        const semaphore = new Semaphore(10);
        let [now, most, done] = [0, 0, 0];
        await Promise.all(
          all.map(async (count) => {
            expect(await semaphore.acquire(count, never)).toBe(true);
            now += count;
            most = Math.max(most, now);
            await settled();
            now -= count;
            done += 1;
            semaphore.release(count);
          }),
        );
        expect(most).toBeLessThanOrEqual(10);
        expect([done, semaphore.isIdle]).toEqual([all.length, true]);
      }),
    );
  });
});
