import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('PATCH /api/members/{member_id}', () => {
  it.each(['"m2"', 'm1', 'W/"m1"', '"v1"'])('answers 412 to If-Match %s, and changes nothing', async (tag) => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addMember(stage, 'anna');
    const headers = { 'if-match': tag };
    const call = { as: stage.manager, body: { disabled: true }, headers };
    expect(await stage.call('PATCH', `/api/members/${id}`, call)).toMatchObject({
      status: 412,
      code: 'precondition_failed',
    });
    expect(stage.database.rows.members.find((row) => row.id === id)?.disabled_at).toBeNull();
  });
});
