import { expect, it } from '@jest/globals';
import { planScale } from './plan-scale.ts';

it.each([
  [0, 1],
  [0.4, 1],
  [7, 10],
  [59, 60],
  [3_600, 3_600],
  [17.8 * 86_400, 30 * 86_400],
  [400 * 86_400, 400 * 86_400],
])('of a worst lag of %d seconds ends at %d, with a few lines below it', (worst, top) => {
  const { placeOf, lines } = planScale(worst);
  expect(lines.at(-1)).toBe(top);
  expect(lines.length).toBeLessThanOrEqual(4);
  expect(lines.length).toBeGreaterThanOrEqual(1);
  expect(placeOf(0)).toBe(0);
  expect(placeOf(top)).toBe(1);
  expect(placeOf(worst)).toBeLessThanOrEqual(1);
  expect([...lines]).toEqual([...lines].toSorted((a, b) => a - b));
});

it('shows seconds and days on one axis', () => {
  const { placeOf } = planScale(17.8 * 86_400);
  expect(placeOf(10)).toBeGreaterThan(0.1);
  expect(placeOf(60) - placeOf(10)).toBeGreaterThan(0.1);
});
