import { expect, it } from '@jest/globals';
import { daysLeft } from './days-left.ts';

const at = (day: number, hour = 0) => Date.UTC(2026, 10, day, hour);
const token = (from: number, to: number) => ({
  created_at: new Date(from).toISOString(),
  expires_at: new Date(to).toISOString(),
});

it.each([
  ['of 90 days, in its last week', token(at(-70), at(20)), at(14), 6],
  ['of 90 days, before that', token(at(-70), at(20)), at(13), null],
  ['of 8 days, in its last quarter', token(at(1), at(9)), at(8), 1],
  ['of 8 days, before that', token(at(1), at(9)), at(7), null],
  ['on its last day', token(at(-70), at(20, 12)), at(20), 1],
  ['that is over', token(at(-70), at(20)), at(21), null],
])('of a token %s', (_, of, now, days) => {
  expect(daysLeft(of, now)).toBe(days);
});
