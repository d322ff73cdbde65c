import { describe, expect, it } from '@jest/globals';
import { openStage } from '@answer-evidence/testing';
import { deadLetterOf, putDeadLetters } from '../../fixtures/dead-letters.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/dead-letters/{dead_letter_id}/replay', () => {
  it('answers 404 for one that is not there, and for an id that is not one', async () => {
    const stage = await openStage(createWorkspaceStage);
    await putDeadLetters(stage, 1);
    for (const id of [deadLetterOf(2).id, 'first'])
      expect(await stage.call('POST', `/api/dead-letters/${id}/replay`, { as: stage.manager })).toMatchObject({
        status: 404,
      });
    expect(await stage.rows('outbox')).toEqual([]);
  });

  it('answers 404 for one of another workspace', async () => {
    const [here, there] = [await openStage(createWorkspaceStage), await openStage(createWorkspaceStage)];
    await putDeadLetters(there, 1);
    const path = `/api/dead-letters/${deadLetterOf(1).id}/replay`;
    expect(await here.call('POST', path, { as: here.manager })).toMatchObject({ status: 404 });
    expect(await there.rows('outbox')).toEqual([]);
  });
});
