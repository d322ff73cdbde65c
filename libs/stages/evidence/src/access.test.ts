import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createEvidenceStage } from './index.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const { routes } = createEvidenceStage(createFakeWorkspace());
  expect(
    await findWrongAccess(routes, {
      uploadRecordEvidence: 'evidence.create',
      registerRecordEvidence: 'evidence.create',
      createEvidenceAsset: 'evidence.create',
      getEvidenceAsset: 'evidence.read',
      listEvidenceAssets: 'evidence.read',
      retrieveEvidence: 'evidence.texts',
      downloadEvidence: 'evidence.texts',
      downloadRecordEvidence: 'evidence.texts',
      listEvidenceAccesses: 'evidence.accesses',
    }),
  ).toEqual([]);
});
