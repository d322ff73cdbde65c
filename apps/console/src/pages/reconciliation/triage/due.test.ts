import { describe, expect, it } from '@jest/globals';
import { dayOf, endOfDay, filterByDue, isOverdue, isWholeDay } from './due.ts';

const NOW = Date.parse('2026-12-05T12:00:00Z');

describe('when a finding is due', () => {
  it('is a day of UTC, to its last second', () => {
    expect(endOfDay('2026-12-05')).toBe('2026-12-05T23:59:59Z');
    expect(dayOf('2026-12-05T23:59:59.000000Z')).toBe('2026-12-05');
    expect([isWholeDay('2026-12-05T23:59:59.000000Z'), isWholeDay('2026-12-05T12:00:00.000000Z')]).toEqual([
      true,
      false,
    ]);
  });

  it('has passed for what is open alone', () => {
    const before = '2026-12-05T11:59:59.000000Z';
    expect(isOverdue({ state: 'open', due_at: before }, NOW)).toBe(true);
    expect(isOverdue({ state: 'resolved', due_at: before }, NOW)).toBe(false);
    expect(isOverdue({ state: 'open', due_at: '2026-12-05T23:59:59.000000Z' }, NOW)).toBe(false);
    expect(isOverdue({ state: 'open', due_at: null }, NOW)).toBe(false);
    expect(isOverdue({ state: 'open' }, NOW)).toBe(false);
  });

  it('is asked for by what the address says, and an unknown word asks for nothing', () => {
    expect(filterByDue('overdue', NOW)).toEqual({ overdue: 'true' });
    expect(filterByDue('week', NOW)).toEqual({ due_before: '2026-12-12T23:59:59Z' });
    expect(filterByDue('tomorrow', NOW)).toEqual({});
    expect(filterByDue(undefined, NOW)).toEqual({});
  });
});
