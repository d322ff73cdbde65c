import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createLoginThrottle } from './login-throttle.ts';

const HOUR_MS = 3_600_000;

function open() {
  let nowMs = 5_000;
  const throttle = createLoginThrottle(() => nowMs);
  /** The wait in seconds, or 0 for a try that may be made. */
  const fail = (account: string, address: string): number => {
    try {
      throttle.begin(account, address);
      return 0;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'rate_limited') return error.retryAfterSeconds ?? -1;
      throw error;
    }
  };
  const succeed = (account: string, address: string) => throttle.begin(account, address).succeed();
  const count = (tries: number, account: string, address: (n: number) => string) =>
    Array.from({ length: tries }, (_, n) => fail(account, address(n))).filter((wait) => wait === 0).length;
  return { throttle, fail, succeed, count, pass: (ms: number) => (nowMs += ms) };
}

describe('createLoginThrottle', () => {
  it('lets one place be wrong ten times, then once in six minutes, and says how long to wait', () => {
    const { count, fail, pass } = open();
    expect(count(50, 'anna', () => '192.0.2.1')).toBe(10);
    const wait = fail('anna', '192.0.2.1');
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(360);
    pass(wait * 1_000);
    expect(count(50, 'anna', () => '192.0.2.1')).toBe(1);
    pass(24 * HOUR_MS);
    expect(count(50, 'anna', () => '192.0.2.1')).toBe(10);
  });

  it('does not lock out the right person elsewhere, however long one or two places go on', () => {
    const { fail, pass } = open();
    let locked = 0;
    for (let minute = 0; minute < 48 * 60; minute++) {
      for (const place of ['192.0.2.1', '192.0.2.2']) for (let n = 0; n < 10; n++) fail('anna', place);
      if (minute % 60 === 0 && fail('anna', '203.0.113.5') !== 0) locked += 1;
      pass(60_000);
    }
    expect(locked).toBe(0);
  });

  it('lets strangers from everywhere together be wrong thirty times, then thirty times an hour', () => {
    const { count, pass } = open();
    expect(count(1_000, 'anna', (n) => `198.51.100.${n}`)).toBe(30);
    pass(HOUR_MS);
    expect(count(1_000, 'anna', (n) => `203.0.113.${n}`)).toBe(30);
  });

  it('lets the right person in from where they have signed in before, while everybody else tries', () => {
    const { count, fail, succeed } = open();
    succeed('anna', '203.0.113.5');
    count(1_000, 'anna', (n) => `198.51.100.${n}`);
    expect(fail('anna', '203.0.113.6')).toBeGreaterThan(0);
    for (let n = 0; n < 100; n++) succeed('anna', '203.0.113.5');
    expect(fail('bob', '203.0.113.6')).toBe(0);
  });

  it('takes nothing for a right password', () => {
    const { count, succeed } = open();
    for (let n = 0; n < 100; n++) succeed('anna', '192.0.2.1');
    expect(count(50, 'anna', () => '192.0.2.1')).toBe(10);
  });

  it('takes nothing for a try that was not verified, and does not take its place for one of the right person', () => {
    const { count, throttle } = open();
    for (let n = 0; n < 100; n++) throttle.begin('anna', '192.0.2.1').withdraw();
    expect(count(50, 'anna', () => '192.0.2.1')).toBe(10);
    // Of thirty for strangers: that place still counts as one.
    expect(count(1_000, 'anna', (n) => `198.51.100.${n}`)).toBe(20);
  });

  it('counts tries that are still being verified, so that many at once are no way around it', () => {
    const { throttle } = open();
    const attempts = Array.from({ length: 10 }, () => throttle.begin('anna', '192.0.2.1'));
    expect(() => throttle.begin('anna', '192.0.2.1')).toThrow('too many failed logins');
    attempts[0]?.succeed();
    expect(() => throttle.begin('anna', '192.0.2.1')).not.toThrow();
  });

  it('keeps no account from another by what its name holds', () => {
    const { count } = open();
    expect(count(20, 'a', () => 'b\nc')).toBe(10);
    expect(count(20, 'w\na', () => '192.0.2.1')).toBe(10);
    expect(count(20, 'w\nb', () => '192.0.2.1')).toBe(10);
  });
});
