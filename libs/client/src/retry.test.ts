import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_RETRY_LIMITS, type Failure, parseRetryAfter, planRetry, type Repeat } from './retry.ts';

const limits = DEFAULT_RETRY_LIMITS;
const status = (code: number, retryAfterMs?: number): Failure => ({ kind: 'status', status: code, retryAfterMs });

function isRepeated(failure: Failure, repeat: Repeat): boolean {
  return planRetry(failure, repeat, 1, 0.5, limits) !== undefined;
}

describe('planRetry', () => {
  it.each([
    ['a refused connection', { kind: 'refused' } as const, true, true],
    ['a lost answer or a timeout', { kind: 'no-answer' } as const, true, false],
    ['429', status(429), true, true],
    ['408', status(408), true, false],
    ['502', status(502), true, false],
    ['503', status(503), true, false],
    ['504', status(504), true, false],
    ['400', status(400), false, false],
    ['401', status(401), false, false],
    ['403', status(403), false, false],
    ['404', status(404), false, false],
    ['409', status(409), false, false],
    ['410', status(410), false, false],
    ['422', status(422), false, false],
    ['500', status(500), false, false],
  ])('repeats after %s only what may be repeated', (_, failure, safe, unprocessed) => {
    expect(isRepeated(failure, 'safe')).toBe(safe);
    expect(isRepeated(failure, 'unprocessed')).toBe(unprocessed);
  });

  it('never makes more attempts than the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (attempt, attemptsMax) => {
        const delay = planRetry({ kind: 'refused' }, 'safe', attempt, 0, { ...limits, attemptsMax });
        expect(delay === undefined).toBe(attempt >= attemptsMax);
      }),
    );
  });

  it('waits between half of a doubling ceiling and the ceiling, and never beyond the bound', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), random, (attempt, jitter) => {
        const delay = planRetry({ kind: 'no-answer' }, 'safe', attempt, jitter, { ...limits, attemptsMax: 100 });
        const ceiling = Math.min(limits.delayMaxMs, limits.baseMs * 2 ** (attempt - 1));
        expect(delay).toBeGreaterThanOrEqual(ceiling / 2);
        expect(delay).toBeLessThanOrEqual(ceiling);
      }),
    );
  });

  it('waits at least as long as Retry-After asks, and gives up when that is too long', () => {
    expect(planRetry(status(503, 20_000), 'safe', 1, 0, limits)).toBe(20_000);
    expect(planRetry(status(503, limits.retryAfterMaxMs + 1), 'safe', 1, 0, limits)).toBeUndefined();
  });
});

describe('parseRetryAfter', () => {
  it('reads seconds, and a date against the date of the reply', () => {
    expect(parseRetryAfter(new Headers({ 'retry-after': '3' }))).toBe(3000);
    const date = 'Fri, 20 Nov 2026 09:00:00 GMT';
    const later = 'Fri, 20 Nov 2026 09:00:07 GMT';
    expect(parseRetryAfter(new Headers({ 'retry-after': later, date }))).toBe(7000);
    expect(parseRetryAfter(new Headers({ 'retry-after': date, date: later }))).toBe(0);
  });

  it.each([['soon'], ['-1'], ['1e9'], ['Fri, 20 Nov 2026 09:00:07 GMT']])(
    'ignores %s without a date beside it',
    (text) => {
      expect(parseRetryAfter(new Headers({ 'retry-after': text }))).toBeUndefined();
    },
  );

  it('asks for nothing when the header is absent', () => {
    expect(parseRetryAfter(new Headers())).toBeUndefined();
  });
});
