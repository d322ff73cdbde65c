import { afterEach, expect, it } from '@jest/globals';
import type { ServicePool } from './pool.ts';
import { watchPulse } from './pulse.ts';

/** More looks beside a slow question than there are in the time after which a database is silent. */
const LOOKS = 4;

let stop: () => void = () => undefined;
afterEach(() => stop());

/** A database whose answer to the question with work never comes, watched by a pulse. */
function openPulse(look: () => Promise<void>) {
  const { promise: broken, resolve } = Promise.withResolvers<'broken'>();
  const pool = { isSilent: false, breakConnections: () => resolve('broken') } as unknown as ServicePool;
  const own = { breakConnections: () => undefined } as unknown as ServicePool;
  const asked: boolean[] = [];
  const pulse = watchPulse(own, {
    ask(over, work) {
      asked.push(work !== undefined);
      expect(over).toBe(work === undefined ? own : pool);
      return work === undefined ? look() : new Promise(() => undefined);
    },
  });
  stop = () => pulse.stop();
  pulse.watch(pool);
  pulse.askForWorkOver(pool);
  return { broken, asked, pool };
}

it('a database that takes long to say where there is work, and answers otherwise, is not silent', async () => {
  const answered = Promise.withResolvers<'answered'>();
  let looks = 0;
  const { broken, asked } = openPulse(() => {
    if (++looks === LOOKS) answered.resolve('answered');
    return Promise.resolve();
  });
  expect(await Promise.race([broken, answered.promise])).toBe('answered');
  expect(asked).toEqual([true, ...Array.from({ length: LOOKS }, () => false)]);
});

it('a database that answers nothing is, and every connection of the watched pools is broken', async () => {
  const { broken, asked, pool } = openPulse(() => new Promise(() => undefined));
  expect(await broken).toBe('broken');
  expect(asked).toEqual([true, false]);
  expect(pool.isSilent).toBe(true);
});
