import { expect, it } from '@jest/globals';
import { formatSpan } from './span-of.ts';

it.each([
  [-5, 'en', '0 seconds'],
  [1, 'en', '1 second'],
  [119_999, 'en', '120 seconds'],
  [120_000, 'en', '2 minutes'],
  [120_001, 'en', '3 minutes'],
  [5_400_000, 'de', '90 Minuten'],
  [86_400_000, 'en', '24 hours'],
  [172_800_001, 'de', '3 Tage'],
])('says %i ms in %s as %s, and never as less than it was', (span, language, text) => {
  expect(formatSpan(span, language)).toBe(text);
});
