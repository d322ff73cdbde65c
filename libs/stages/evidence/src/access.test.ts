import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createEvidenceStage } from './index.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const { routes } = createEvidenceStage(createFakeWorkspace());
  expect(
    await findWrongAccess(routes, {
      uploadRecordEvidence: { application: 'answer_audit:create', user: 'member' },
      registerRecordEvidence: { application: 'answer_audit:create', user: 'member' },
      createEvidenceAsset: { application: 'answer_audit:create', user: 'member' },
      getEvidenceAsset: { application: 'answer_audit:evidence:read', user: 'member' },
      listEvidenceAssets: { application: 'answer_audit:evidence:read', user: 'member' },
      retrieveEvidence: { application: 'answer_audit:evidence:read', user: 'member' },
      downloadEvidence: { application: 'answer_audit:evidence:read', user: 'member' },
      downloadRecordEvidence: { application: 'answer_audit:evidence:read', user: 'member' },
      listEvidenceAccesses: { application: null, user: 'manager' },
    }),
  ).toEqual([]);
});
