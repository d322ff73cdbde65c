import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { utf8 } from '@answer-evidence/encoding';
import { createFakeLoginTries } from '@answer-evidence/testing';
import { createLoginThrottle } from './login-throttle.ts';

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

function open() {
  let now = 5 * DAY;
  const tries = createFakeLoginTries();
  const keyOf = (kind: string, ...parts: readonly string[]) => utf8(JSON.stringify([kind, ...parts]));
  const start = () => createLoginThrottle({ tries, clock: { nowMicros: () => now }, keyOf });
  let throttle = start();
  /** The wait in seconds, or 0 for a try that may be made. */
  const fail = async (account: string, address: string): Promise<number> => {
    try {
      await throttle.begin(account, address);
      return 0;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'rate_limited') return error.retryAfterSeconds ?? -1;
      throw error;
    }
  };
  const rankOf = async (account: string, address: string) => {
    const attempt = await throttle.begin(account, address);
    await attempt.withdraw();
    return attempt.rank;
  };
  const succeed = async (account: string, address: string) => (await throttle.begin(account, address)).succeed();
  const count = async (tried: number, account: string, address: (n: number) => string) => {
    let made = 0;
    for (let n = 0; n < tried; n++) if ((await fail(account, address(n))) === 0) made += 1;
    return made;
  };
  return {
    begin: (account: string, address: string) => throttle.begin(account, address),
    fail,
    rankOf,
    succeed,
    count,
    pass: (micros: number) => (now += micros),
    restart: () => (throttle = start()),
  };
}

describe('createLoginThrottle', () => {
  it('lets one place be wrong ten times, then once in ten seconds, and says how long to wait', async () => {
    const { count, fail, pass } = open();
    expect(await count(50, 'anna', () => '192.0.2.1')).toBe(10);
    expect(await fail('anna', '192.0.2.1')).toBe(10);
    pass(10 * SECOND);
    expect(await count(50, 'anna', () => '192.0.2.1')).toBe(1);
  });

  it('lets the right person in from a new place at once, however long and from wherever others go on', async () => {
    const { fail, pass, rankOf } = open();
    let mostWait = 0;
    for (let second = 0; second < 3_600; second++) {
      for (let n = 0; n < 20; n++) await fail('anna', `198.51.100.${n}`);
      if (second % 60 === 0) {
        const place = `203.0.113.${second / 60}`;
        expect(await rankOf('anna', place)).toBe('first');
        mostWait = Math.max(mostWait, await fail('anna', place));
      }
      pass(SECOND);
    }
    expect(mostWait).toBe(0);
  });

  it('asks nobody to wait for longer than ten seconds', async () => {
    const { fail, pass } = open();
    let mostWait = 0;
    for (let n = 0; n < 2_000; n++) {
      mostWait = Math.max(mostWait, await fail('anna', `198.51.100.${n % 7}`));
      if (n % 5 === 0) pass(SECOND);
    }
    expect(mostWait).toBe(10);
  });

  it('gives an attacker with n addresses 3 n + 8,640 guesses a day, and 30 at once', async () => {
    const { count, pass } = open();
    const addresses = 40;
    let guesses = await count(addresses * 20, 'anna', (n) => `198.51.100.${n % addresses}`);
    expect(guesses).toBe(3 * addresses + 30);
    for (let step = 0; step < 8_640; step++) {
      pass(10 * SECOND);
      guesses += await count(3, 'anna', (n) => `198.51.100.${(step + n) % addresses}`);
    }
    const aDay = 3 * addresses + 8_640;
    expect(guesses).toBeGreaterThan(8_640);
    expect(guesses).toBeLessThanOrEqual(30 + 3 * addresses + aDay);
  });

  it('knows the places where somebody has signed in, also after a restart, and holds them back by themselves', async () => {
    const { count, fail, rankOf, restart, succeed } = open();
    await succeed('anna', '203.0.113.5');
    await count(300, 'anna', (n) => `198.51.100.${n % 30}`);
    restart();
    expect(await rankOf('anna', '203.0.113.5')).toBe('known');
    for (let n = 0; n < 50; n++) await succeed('anna', '203.0.113.5');
    expect(await fail('anna', '198.51.100.1')).toBeGreaterThan(0);
    expect(await fail('bob', '198.51.100.1')).toBe(0);
  });

  it('forgets a place half a year after the last time', async () => {
    const { count, pass, rankOf, succeed } = open();
    await succeed('anna', '203.0.113.5');
    pass(179 * DAY);
    await count(300, 'bob', (n) => `198.51.100.${n}`);
    expect(await rankOf('anna', '203.0.113.5')).toBe('known');
    pass(2 * DAY);
    await count(300, 'bob', (n) => `198.51.100.${n}`);
    expect(await rankOf('anna', '203.0.113.5')).toBe('first');
  });

  it('takes nothing for a right password, and nothing for a try that was not verified', async () => {
    const { begin, count, succeed } = open();
    for (let n = 0; n < 100; n++) await succeed('bob', '192.0.2.1');
    for (let n = 0; n < 100; n++) await (await begin('anna', '192.0.2.1')).withdraw();
    expect(await count(50, 'bob', () => '192.0.2.1')).toBe(10);
    expect(await count(50, 'anna', () => '192.0.2.1')).toBe(10);
  });

  it('counts tries that are still being verified, so that many at once are no way around it', async () => {
    const { begin } = open();
    const attempts = await Promise.all(Array.from({ length: 10 }, () => begin('anna', '192.0.2.1')));
    await expect(begin('anna', '192.0.2.1')).rejects.toThrow('too many failed logins');
    await attempts[0]?.succeed();
    await expect(begin('anna', '192.0.2.1')).resolves.toBeDefined();
  });
});
