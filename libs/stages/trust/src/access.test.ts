import { expect, it } from '@jest/globals';
import { findWrongAccess } from '@answer-evidence/testing';
import { openTrust } from './fixtures/trust.ts';
import { createTrustStage } from './index.ts';

it('every route takes the callers whom its right admits, and refuses all others before its handler runs', async () => {
  const { routes } = createTrustStage((await openTrust()).deps);
  expect(await findWrongAccess(routes)).toEqual([]);
});
