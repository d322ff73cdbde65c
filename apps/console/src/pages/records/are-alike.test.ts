import { expect, it } from '@jest/globals';
import { areAlike } from './are-alike.ts';

it('tells texts of which little was changed from those that were written anew', () => {
  expect(areAlike('The office opens at nine in the morning.', 'The office opens at eight in the morning.')).toBe(true);
  expect(areAlike('Invoice is available for business customers.', 'You can return jackets in 30 days.')).toBe(false);
  expect(areAlike('', '')).toBe(true);
  expect(areAlike('a', '')).toBe(false);
});
