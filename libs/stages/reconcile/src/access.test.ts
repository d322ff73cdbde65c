import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createReconcileStage, type ReconcileDeps } from './index.ts';

it('every route takes the callers whom its right admits, and refuses all others before its handler runs', async () => {
  const { routes } = createReconcileStage({
    ...createFakeWorkspace(),
    ...({} as Pick<ReconcileDeps, 'checkpoints' | 'reconciliations' | 'triage' | 'readFreshSettings'>),
  });
  expect(await findWrongAccess(routes)).toEqual([]);
});
