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

  it('answers 409 to one more member than there may be, and counts no removed ones', async () => {
    const stage = createFakeStage((deps) => createWorkspaceStage({ ...deps, membersMax: 3 }));
    const add = (username: string) => stage.call('POST', '/api/members', { as: stage.manager, body: { username } });
    const { id } = await addMember(stage, 'anna');
    expect(await add('bert')).toMatchObject({ status: 409, code: 'limit_reached' });
    await stage.call('DELETE', `/api/members/${id}`, { as: stage.manager });
    expect((await add('bert')).status).toBe(201);
  });
});
