import { describe, expect, it } from '@jest/globals';
import { DOWN_MICROS_MAX, planRetry, REFUSALS_MAX } from './plan-retry.ts';

const NOW = 1_800_000_000_000_000;
const attempted = { error: 'failed', attempts: 0, failures: 0, failingSince: null, nowMicros: NOW, chance: 0 };

describe('an attempt at a delivery', () => {
  it('succeeds by a status of 2xx alone', () => {
    expect(planRetry({ ...attempted, status: 204 })).toEqual({ kind: 'delivered', status: 204 });
    for (const status of [null, 101, 199, 301, 307, 404, 500])
      expect([status, planRetry({ ...attempted, status }).kind]).toEqual([status, 'failed']);
  });

  it('pauses the target for a while that grows to four hours, unless it refuses this one alone', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 6, 7, 50].map((failures) => {
      const outcome = planRetry({ ...attempted, status: 503, failures, chance: 1 });
      return outcome.kind === 'failed' ? (outcome.pausedUntil - NOW) / 1_000_000 : undefined;
    });
    expect(pauses).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 14_400]);
    expect(planRetry({ ...attempted, status: 422 })).toMatchObject({ pausedUntil: 0, dueAt: NOW + 2_500_000 });
  });

  it('is the last one when the same was refused so often', () => {
    const refused = { ...attempted, status: 400 };
    expect(planRetry({ ...refused, attempts: REFUSALS_MAX - 2 })).not.toMatchObject({ dueAt: undefined });
    expect(planRetry({ ...refused, attempts: REFUSALS_MAX - 1 })).toMatchObject({ dueAt: undefined });
  });

  it('disables a target that is gone, and one where nothing arrived for three days, but not before', () => {
    const disabledFor = (status: number | null, failingSince: number | null) => {
      const outcome = planRetry({ ...attempted, status, failingSince });
      return outcome.kind === 'failed' ? outcome.disabledFor : undefined;
    };
    expect(disabledFor(410, null)).toBe('gone');
    expect(disabledFor(null, NOW - DOWN_MICROS_MAX)).toBe('down');
    expect(disabledFor(422, NOW - DOWN_MICROS_MAX)).toBe('down');
    expect(disabledFor(null, NOW - DOWN_MICROS_MAX + 1)).toBeUndefined();
    expect(disabledFor(null, null)).toBeUndefined();
  });
});
