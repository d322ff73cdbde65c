import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/members', () => {
  it('answers 403 to a member and to an application, and changes nothing', async () => {
    const { application, call, database, member } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    const byMember = await call('GET', '/api/members', { as: member });
    expect(byMember).toMatchObject({ status: 403, code: 'role_not_allowed' });
    const byApplication = await call('GET', '/api/members', { as: application });
    expect(byApplication).toMatchObject({ status: 403, code: 'token_kind_not_allowed' });
    expect(database.leaves).toHaveLength(before);
  });
});
