import { describe, expect, it } from '@jest/globals';
import { DEFAULT_RATE_LIMITS, parseRateLimits } from './parse-rate-limits.ts';

describe('rate limits', () => {
  it('are by default what the default text says', () => {
    expect(parseRateLimits('login=10/min')).toEqual(parseRateLimits(DEFAULT_RATE_LIMITS));
    expect(parseRateLimits(DEFAULT_RATE_LIMITS)).toEqual({
      create: { count: 2_000, windowSeconds: 1 },
      default: { count: 200, windowSeconds: 1 },
      login: { count: 10, windowSeconds: 60 },
      proof: { count: 60, windowSeconds: 60 },
      unauthenticated: { count: 50, windowSeconds: 1 },
      kilobytes: { count: 16_384, windowSeconds: 1 },
      work: { count: 500, windowSeconds: 1 },
    });
  });

  it('change where the list names them, and go where it says off', () => {
    expect(parseRateLimits('create=5/h, default=off')).toEqual({
      ...parseRateLimits(DEFAULT_RATE_LIMITS),
      create: { count: 5, windowSeconds: 3_600 },
      default: null,
    });
    expect(Object.values(parseRateLimits('off'))).toEqual([null, null, null, null, null, null, null]);
  });
});
