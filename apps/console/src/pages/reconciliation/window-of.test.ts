import { describe, expect, it } from '@jest/globals';
import { dayAfter, lastDayOf, startOfDay, windowOf } from './window-of.ts';

describe('the window of a list', () => {
  it('is the whole days of UTC that its times are of', () => {
    expect(windowOf(['2026-11-20T07:41:40Z', '2026-11-20T08:00:00.5Z'])).toEqual({
      start: '2026-11-20T00:00:00Z',
      end: '2026-11-21T00:00:00Z',
    });
    expect(windowOf(['2026-11-21T00:00:00Z', '2026-11-20T23:59:59+01:00'])).toEqual({
      start: '2026-11-20T00:00:00Z',
      end: '2026-11-22T00:00:00Z',
    });
  });

  it('is none where no time is one', () => {
    expect(windowOf([])).toBeUndefined();
    expect(windowOf(['yesterday', ''])).toBeUndefined();
  });

  it('is shown by its first day and its last, which is in it', () => {
    expect(startOfDay('2026-11-20')).toBe('2026-11-20T00:00:00Z');
    expect(dayAfter('2026-11-30')).toBe('2026-12-01T00:00:00Z');
    for (const day of ['2026-11-20', '2026-12-31', '2028-02-29']) expect(lastDayOf(dayAfter(day))).toBe(day);
    expect(lastDayOf('2026-11-20T08:00:00Z')).toBe('2026-11-20');
    expect([startOfDay(''), dayAfter(''), lastDayOf('')]).toEqual(['', '', '']);
  });
});
