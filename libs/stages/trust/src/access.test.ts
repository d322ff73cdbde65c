import { expect, it } from '@jest/globals';
import { findWrongAccess } from '@answer-evidence/testing';
import { createFakeTrust } from './fixtures/trust.ts';
import { createTrustStage } from './index.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const { routes } = createTrustStage(createFakeTrust().deps);
  expect(
    await findWrongAccess(routes, {
      verifyAnswerRecord: { application: 'answer_audit:read', user: 'member' },
      getAnswerProof: { application: 'answer_audit:read', user: 'member' },
      revealAnswerProof: { application: 'answer_audit:read', user: 'member' },
      createPack: { application: null, user: 'manager' },
      createProofLink: { application: 'answer_audit:read', user: 'manager' },
      listProofLinks: { application: 'answer_audit:read', user: 'manager' },
      revokeProofLink: { application: 'answer_audit:read', user: 'manager' },
      openProofLink: 'public',
      showProofPage: 'public',
      showProofPageBelow: 'public',
      listCheckpoints: { application: 'answer_audit:read', user: 'member' },
      listWitnesses: { application: 'answer_audit:read', user: 'member' },
      listAnchors: { application: 'answer_audit:read', user: 'member' },
      listLogKeys: { application: 'answer_audit:read', user: 'member' },
      getTrustPolicy: { application: 'answer_audit:read', user: 'member' },
      readTlog: { application: 'answer_audit:read', user: 'member' },
      putTrustPolicy: { application: null, user: 'manager' },
      addLogKey: { application: null, user: 'manager' },
      retireLogKey: { application: null, user: 'manager' },
      runAnchors: { application: null, user: 'manager' },
      testAnchor: { application: null, user: 'manager' },
      testWitness: { application: null, user: 'manager' },
      checkLedger: { application: null, user: 'manager' },
    }),
  ).toEqual([]);
});
