import { describe, expect, it } from '@jest/globals';
import { deadLetterReplay } from '@answer-evidence/contracts';
import { openStage } from '@answer-evidence/testing';
import { deadLetterOf, putDeadLetters } from '../../fixtures/dead-letters.ts';
import { createWorkspaceStage } from '../../stage.ts';

const PATH = `/api/dead-letters/${deadLetterOf(1).id}/replay`;

describe('POST /api/dead-letters/{dead_letter_id}/replay', () => {
  it('has the job tried again, once, however often it is asked', async () => {
    const stage = await openStage(createWorkspaceStage);
    await putDeadLetters(stage, 2);
    const first = await stage.call('POST', PATH, { as: stage.manager });
    expect(first.status).toBe(202);
    expect(deadLetterReplay.parse(first.body)).toMatchObject({ id: deadLetterOf(1).id, topic: 'trust.run' });
    expect(await stage.call('POST', PATH, { as: stage.manager, body: {} })).toEqual(first);
    expect(await stage.rows('outbox')).toMatchObject([{ id: deadLetterOf(1).id, topic: 'trust.run', subject: null }]);
  });
});
