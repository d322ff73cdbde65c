import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('DELETE /api/members/0199f3c2-0000-7000-8000-000000000001', () => {
  it('answers 401 to a request without a token, and changes nothing', async () => {
    const { call, database } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    expect(await call('DELETE', '/api/members/0199f3c2-0000-7000-8000-000000000001')).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(database.leaves).toHaveLength(before);
  });
});
