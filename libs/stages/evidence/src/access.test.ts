import { expect, it } from '@jest/globals';
import { findWrongAccess } from '@answer-evidence/testing';
import type { EvidenceDeps } from './deps.ts';
import { createEvidenceStage } from './index.ts';

it('every route takes the callers whom its right admits, and refuses all others before its handler runs', async () => {
  const { routes } = createEvidenceStage({} as EvidenceDeps);
  expect(await findWrongAccess(routes)).toEqual([]);
});
