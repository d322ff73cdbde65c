import { expect, it } from '@jest/globals';
import { findWrongAccess } from '@answer-evidence/testing';
import type { IngestDeps } from './deps.ts';
import { createIngestStage } from './index.ts';

it('every route takes the callers whom its right admits, and refuses all others before its handler runs', async () => {
  const { routes } = createIngestStage({} as IngestDeps);
  expect(await findWrongAccess(routes)).toEqual([]);
});
