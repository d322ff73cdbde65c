import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createReconcileStage, type ReconcileDeps } from './index.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const { routes } = createReconcileStage({
    ...createFakeWorkspace(),
    ...({} as Pick<ReconcileDeps, 'checkpoints' | 'reconciliations' | 'triage' | 'readFreshSettings'>),
  });
  expect(
    await findWrongAccess(routes, {
      createReconciliationRun: 'reconciliations.run',
      listReconciliationRuns: 'reconciliations.read',
      getReconciliationRun: 'reconciliations.read',
      listReconciliationFindings: 'reconciliations.read',
      getReconciliationRecords: 'reconciliations.read',
      getReconciliationProof: 'reconciliations.read',
      listFindingTriage: 'triage.read',
      getFindingTriage: 'triage.read',
      appendTriageStep: 'triage',
      listAssignees: 'triage',
    }),
  ).toEqual([]);
});
