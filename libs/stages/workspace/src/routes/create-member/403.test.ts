import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/members', () => {
  it('answers 403 to a member and to an application, and changes nothing', async () => {
    const { application, call, database, member } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    const byMember = await call('POST', '/api/members', { as: member, body: { username: 'new' } });
    expect(byMember).toMatchObject({ status: 403, code: 'role_not_allowed' });
    const byApplication = await call('POST', '/api/members', { as: application, body: { username: 'new' } });
    expect(byApplication).toMatchObject({ status: 403, code: 'token_kind_not_allowed' });
    expect(database.leaves).toHaveLength(before);
  });
});
