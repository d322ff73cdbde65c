import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createIngestStage } from './index.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const { routes } = createIngestStage(createFakeWorkspace());
  expect(
    await findWrongAccess(routes, {
      createAnswerRecord: { application: 'answer_audit:create', user: 'member' },
      createAnswerRecords: { application: 'answer_audit:create', user: 'member' },
      listAnswerRecords: { application: 'answer_audit:read', user: 'member' },
      getAnswerRecord: { application: 'answer_audit:read', user: 'member' },
      exportAnswerRecords: { application: null, user: 'manager' },
      searchRecords: { application: 'answer_audit:read', user: 'member' },
      openSearchSession: { application: 'answer_audit:read', user: 'member' },
      getWordIndex: { application: 'answer_audit:read', user: 'member' },
      listSearchValues: { application: 'answer_audit:read', user: 'member' },
      listMarkedRecords: { application: 'answer_audit:read', user: 'member' },
      countAnswered: { application: 'answer_audit:read', user: 'member' },
      browseTexts: { application: 'answer_audit:read', user: 'member' },
      listViews: { application: null, user: 'member' },
      createView: { application: null, user: 'member' },
      removeView: { application: null, user: 'member' },
      revealTexts: { application: 'answer_audit:read', user: 'member' },
      appendLifecycleEvent: { application: null, user: 'manager' },
    }),
  ).toEqual([]);
});
