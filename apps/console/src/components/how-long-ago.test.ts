import { describe, expect, it } from '@jest/globals';
import { howLongAgo } from './how-long-ago.ts';

const NOW = Date.parse('2026-11-29T11:38:00Z');
const ago = (at: string) => howLongAgo(Date.parse(at), NOW);

describe('how long ago something was', () => {
  it.each([
    ['2026-11-29T11:37:50Z', -0, 'minute'],
    ['2026-11-29T11:21:00Z', -17, 'minute'],
    ['2026-11-29T10:30:00Z', -1, 'hour'],
    ['2026-11-28T13:38:00Z', -22, 'hour'],
    ['2026-11-29T13:38:00Z', 2, 'hour'],
    ['2026-12-02T00:00:00Z', 3, 'day'],
  ] as const)('is said in the unit that fits: %s', (at, value, unit) => expect(ago(at)).toEqual([value, unit]));

  it('counts days as a list names them, and never calls the day before yesterday yesterday', () => {
    expect(ago('2026-11-28T11:30:00Z')).toEqual([-1, 'day']);
    expect(ago('2026-11-28T00:00:00Z')).toEqual([-1, 'day']);
    expect(ago('2026-11-27T23:50:00Z')).toEqual([-2, 'day']);
    expect(ago('2026-11-27T11:39:00Z')).toEqual([-2, 'day']);
  });
});
