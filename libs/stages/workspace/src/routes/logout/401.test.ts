import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/logout', () => {
  it('answers 401 to a request without a token, and changes nothing', async () => {
    const { call, database } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    expect(await call('POST', '/api/auth/logout')).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(database.leaves).toHaveLength(before);
  });
});
