import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('PATCH /api/members/{member_id}', () => {
  it.each([
    { role: 'owner' },
    { disabled: 'yes' },
    { password_reset: false },
    { username: 'other' },
    { password: 'x' },
  ])('answers 422 to %j', async (body) => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addMember(stage, 'anna');
    expect(await stage.call('PATCH', `/api/members/${id}`, { as: stage.manager, body })).toMatchObject({ status: 422 });
  });
});
