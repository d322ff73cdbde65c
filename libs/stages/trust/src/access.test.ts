import { expect, it } from '@jest/globals';
import { findWrongAccess } from '@answer-evidence/testing';
import { createFakeTrust } from './fixtures/trust.ts';
import { createTrustStage } from './index.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const { routes } = createTrustStage(createFakeTrust().deps);
  expect(
    await findWrongAccess(routes, {
      verifyAnswerRecord: 'records.read',
      getAnswerProof: 'trust.read',
      revealAnswerProof: 'texts.read',
      createPack: 'packs',
      createProofLink: 'proof_links',
      listProofLinks: 'proof_links',
      revokeProofLink: 'proof_links',
      openProofLink: 'public',
      showProofPage: 'public',
      showProofPageBelow: 'public',
      listCheckpoints: 'trust.read',
      listWitnesses: 'trust.read',
      listAnchors: 'trust.read',
      listLogKeys: 'trust.read',
      getTrustPolicy: 'trust.read',
      readTlog: 'trust.read',
      putTrustPolicy: 'trust.manage',
      addLogKey: 'trust.manage',
      retireLogKey: 'trust.manage',
      runAnchors: 'trust.manage',
      checkLedger: 'ledger.check',
      testAnchor: 'trust.manage',
      testWitness: 'trust.manage',
    }),
  ).toEqual([]);
});
