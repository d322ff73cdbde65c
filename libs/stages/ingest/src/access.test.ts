import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createIngestStage } from './index.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const { routes } = createIngestStage(createFakeWorkspace());
  expect(
    await findWrongAccess(routes, {
      createAnswerRecord: 'records.create',
      createAnswerRecords: 'records.create',
      listAnswerRecords: 'records.read',
      getAnswerRecord: 'records.read',
      exportAnswerRecords: 'records.export',
      searchRecords: 'records.read',
      listSearchValues: 'records.read',
      listMarkedRecords: 'records.read',
      countAnswered: 'records.read',
      browseTexts: 'texts.read',
      listViews: 'views.read',
      createView: 'views.change',
      removeView: 'views.change',
      revealTexts: 'texts.read',
      appendLifecycleEvent: 'events.append',
      openSearchSession: 'texts.read',
      getWordIndex: 'records.read',
      placeHold: 'holds.manage',
      releaseHold: 'holds.manage',
      listHolds: 'holds.read',
      listHoldsOfRecord: 'holds.read',
      getHold: 'holds.read',
      listHeldRecords: 'holds.read',
    }),
  ).toEqual([]);
});
