import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { deadLetterOf } from '../../fixtures/dead-letters.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/dead-letters/{dead_letter_id}/replay', () => {
  it('answers 404 for one that is not there, and for an id that is not one', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    database.rows.dead_letters = [deadLetterOf(1)];
    for (const id of [deadLetterOf(2).id, 'first'])
      expect(await call('POST', `/api/dead-letters/${id}/replay`, { as: manager })).toMatchObject({ status: 404 });
    expect(database.rows.outbox).toEqual([]);
  });

  it('answers 404 for one of another workspace', async () => {
    const [here, there] = [createFakeStage(createWorkspaceStage), createFakeStage(createWorkspaceStage)];
    there.database.rows.dead_letters = [deadLetterOf(1)];
    const path = `/api/dead-letters/${deadLetterOf(1).id}/replay`;
    expect(await here.call('POST', path, { as: here.manager })).toMatchObject({ status: 404 });
    expect(there.database.rows.outbox).toEqual([]);
  });
});
