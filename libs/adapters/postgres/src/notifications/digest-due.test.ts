import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { digestDueAt } from './digest-due.ts';

const at = (text: string): number => Date.parse(text) * 1_000;
const json = (digest: string, hour: number | null) => JSON.stringify({ digest, hour, language: 'en', member_id: 'm' });

describe('what is told for a digest', () => {
  it.each([
    ['at_once', null, '2026-03-01T06:59:59Z', '2026-03-01T06:59:59Z'],
    ['hourly', null, '2026-03-01T06:59:59Z', '2026-03-01T07:00:00Z'],
    ['hourly', null, '2026-03-01T07:00:00Z', '2026-03-01T08:00:00Z'],
    ['daily', 7, '2026-03-01T06:59:59Z', '2026-03-01T07:00:00Z'],
    ['daily', 7, '2026-03-01T07:00:00Z', '2026-03-02T07:00:00Z'],
    ['daily', 0, '2026-12-31T23:00:00Z', '2027-01-01T00:00:00Z'],
  ])('%s %s at %s is due at %s', (digest, hour, now, due) => {
    expect(digestDueAt(json(digest, hour), at(now))).toBe(at(due));
  });

  it('is never due in the past, nor later than a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e15 }), fc.integer({ min: 0, max: 23 }), (now, hour) => {
        const due = digestDueAt(json('daily', hour), now);
        return due > now && due <= now + 86_400_000_000;
      }),
    );
  });

  it.each(['', '{', 'null', '{"digest":"never"}', null])('is due at once where the row has %j', (damaged) => {
    expect(digestDueAt(damaged, 7)).toBe(7);
  });
});
