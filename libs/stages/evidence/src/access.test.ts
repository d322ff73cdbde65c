import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createEvidenceStage } from './index.ts';

it('every route takes the callers whom its right admits, and refuses all others before its handler runs', async () => {
  const { routes } = createEvidenceStage(createFakeWorkspace());
  expect(await findWrongAccess(routes)).toEqual([]);
});
