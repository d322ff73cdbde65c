import { describe, expect, it } from '@jest/globals';
import { isExpired, readErasure } from './erasure.ts';

describe('the erasures of a record', () => {
  it('are read from expiries of any number', () => {
    const expiries = Array.from({ length: 300_000 }, (_, n) => 600_000 - 2 * n);
    const erasure = readErasure([], expiries);
    expect(erasure.expiredAt).toBe(600_000);
    expect([isExpired(erasure, 599_999), isExpired(erasure, 600_000)]).toEqual([true, false]);
    expect(readErasure([], []).expiredAt).toBe(-1);
  });
});
