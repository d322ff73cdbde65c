import { expect, it } from '@jest/globals';
import { rehearseCreates } from './rehearse-creates.ts';

// It rejects for any other status, and when a response does not come.
it('sends creates that are all answered with 201', async () => {
  expect(await rehearseCreates()).toBeGreaterThanOrEqual(16);
});
