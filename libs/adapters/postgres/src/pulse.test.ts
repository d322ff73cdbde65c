import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServicePool } from './pool.ts';
import { watchPulse } from './pulse.ts';

/** More looks beside a slow question than there are in the time after which a database is silent. */
const LOOKS = 4;

let stop: () => void = () => undefined;
afterEach(() => stop());

/** A database whose answer to the question with work never comes unless it is given, watched by a pulse. */
function openPulse(look: () => Promise<void>, answer = () => new Promise<void>(() => undefined)) {
  const { promise: broken, resolve } = Promise.withResolvers<'broken'>();
  const pool = { isSilent: false, breakConnections: () => resolve('broken') } as unknown as ServicePool;
  const own = { breakConnections: () => undefined } as unknown as ServicePool;
  const asked: boolean[] = [];
  const pulse = watchPulse(own, {
    ask(over, work) {
      asked.push(work !== undefined);
      expect(over).toBe(work === undefined ? own : pool);
      return work === undefined ? look() : answer();
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

describe('with a clock of the test', () => {
  const TICK_MS = 250;
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  /** Lets so many ticks pass, each with what it sets off. */
  async function pass(ticks: number): Promise<void> {
    for (let tick = 0; tick < ticks; tick++) {
      mock.timers.tick(TICK_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('a light question has as long as any, however long the one with work has taken', async () => {
    const look = Promise.withResolvers<void>();
    const { asked, pool } = openPulse(() => look.promise);
    while (asked.length < 2) await pass(1);
    await pass(9);
    expect(pool.isSilent).toBe(false);
    look.resolve();
    await pass(1);
    expect([asked, pool.isSilent]).toEqual([[true, false], false]);
  });

  it('its own connection is asked now and then also while all goes well, so that it is open when it is needed', async () => {
    const { asked } = openPulse(
      () => Promise.resolve(),
      () => Promise.resolve(),
    );
    while (asked.length < 100) await pass(1);
    // Each is one statement more.
    expect(asked.filter((isWithWork) => !isWithWork).length).toBeGreaterThan(3);
    expect(asked.filter((isWithWork) => !isWithWork).length).toBeLessThan(10);
  });
});

it('a database that answers nothing is, and every connection of the watched pools is broken', async () => {
  const { broken, asked, pool } = openPulse(() => new Promise(() => undefined));
  expect(await broken).toBe('broken');
  expect(asked).toEqual([true, false]);
  expect(pool.isSilent).toBe(true);
});
