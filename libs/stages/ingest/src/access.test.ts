import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createIngestStage } from './index.ts';

it('every route takes the callers whom its right admits, and refuses all others before its handler runs', async () => {
  const { routes } = createIngestStage(createFakeWorkspace());
  expect(await findWrongAccess(routes)).toEqual([]);
});
