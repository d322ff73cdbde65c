import { expect, it } from '@jest/globals';
import { formatDays } from './format-days.ts';

it.each([
  [365, 'en', '≈ 12 months'],
  [730, 'en', '≈ 2 years'],
  [730, 'de', '≈ 2 Jahre'],
  [183, 'en', '≈ 6 months'],
  [1096, 'de', '≈ 3 Jahre'],
  [30, 'en', '≈ 4.3 weeks'],
  [7, 'en', ''],
  [NaN, 'en', ''],
])('says how long %d days are in %s', (days, language, words) => {
  expect(formatDays(days, language)).toBe(words);
});
