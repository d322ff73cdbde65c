import { describe, expect, it } from '@jest/globals';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import { isRenewalDue } from './plan-renewal.ts';

const END = 1_000 * MICROS_PER_DAY;
const day = (n: number) => END - n * MICROS_PER_DAY;
const isDue = (nowMicros: number, lastAt?: number, ends = {}) =>
  isRenewalDue({
    ends: { tokens: 1, unknown: 0, earliest: END, ...ends },
    lastAt,
    leadMicros: 64 * MICROS_PER_DAY,
    nowMicros,
  });

describe('a renewal', () => {
  it('is due when the end of a certificate is nearer than the lead, and not before', () => {
    expect([day(65), day(64), day(1)].map((now) => isDue(now))).toEqual([false, true, true]);
  });

  it('is due again at a fourth of what is left, until an hour before the end', () => {
    const last = day(63);
    expect([day(17), day(16)].map((now) => isDue(now, last))).toEqual([false, true]);
    expect([day(5), day(4)].map((now) => isDue(now, day(15)))).toEqual([false, true]);
    expect(isDue(day(0.001), day(0.04))).toBe(false);
  });

  it('is due for tokens of which nobody knows when they end, and for none where there is no token', () => {
    expect(isDue(day(900), undefined, { unknown: 1 })).toBe(true);
    expect(isDue(day(1), undefined, { tokens: 0, unknown: 0, earliest: null })).toBe(false);
    expect(isDue(day(1), undefined, { earliest: null })).toBe(false);
  });
});
