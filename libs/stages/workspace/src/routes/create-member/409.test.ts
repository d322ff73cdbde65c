import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/members', () => {
  it('answers 409 to a name that a member has, or had before they were removed', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addMember(stage, 'anna');
    const again = () => stage.call('POST', '/api/members', { as: stage.manager, body: { username: 'anna' } });
    const refusal = { status: 409, code: 'name_taken', errors: [{ pointer: '/username' }] };
    expect(await again()).toMatchObject(refusal);
    await stage.call('DELETE', `/api/members/${id}`, { as: stage.manager });
    expect(await again()).toMatchObject(refusal);
    expect(stage.database.rows.members.filter(({ username }) => username === 'anna')).toHaveLength(1);
  });
});
