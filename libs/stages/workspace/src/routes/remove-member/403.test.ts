import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('DELETE /api/members/0199f3c2-0000-7000-8000-000000000001', () => {
  it('answers 403 to a member and to an application, and changes nothing', async () => {
    const { application, call, database, member } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    const byMember = await call('DELETE', '/api/members/0199f3c2-0000-7000-8000-000000000001', { as: member });
    expect(byMember).toMatchObject({ status: 403, code: 'role_not_allowed' });
    const byApplication = await call('DELETE', '/api/members/0199f3c2-0000-7000-8000-000000000001', {
      as: application,
    });
    expect(byApplication).toMatchObject({ status: 403, code: 'token_kind_not_allowed' });
    expect(database.leaves).toHaveLength(before);
  });
});
