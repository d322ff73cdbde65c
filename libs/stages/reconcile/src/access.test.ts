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
      createReconciliationRun: { application: 'answer_audit:reconcile', user: 'member' },
      listReconciliationRuns: { application: 'answer_audit:reconcile', user: 'member' },
      getReconciliationRun: { application: 'answer_audit:reconcile', user: 'member' },
      listReconciliationFindings: { application: 'answer_audit:reconcile', user: 'member' },
      getReconciliationRecords: { application: 'answer_audit:reconcile', user: 'member' },
      getReconciliationProof: { application: 'answer_audit:reconcile', user: 'member' },
      listAssignees: { application: null, user: 'member' },
      listFindingTriage: { application: null, user: 'member' },
      getFindingTriage: { application: null, user: 'member' },
      appendTriageStep: { application: null, user: 'member' },
    }),
  ).toEqual([]);
});
