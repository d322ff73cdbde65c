import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('DELETE /api/members/{member_id}', () => {
  it('answers 412 to an If-Match of another version', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addMember(stage, 'anna');
    const headers = { 'if-match': '"m7"' };
    const reply = await stage.call('DELETE', `/api/members/${id}`, { as: stage.manager, headers });
    expect(reply).toMatchObject({ status: 412, code: 'precondition_failed' });
  });
});
