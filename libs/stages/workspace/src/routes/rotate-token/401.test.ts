import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/tokens/{token_id}/rotate', () => {
  it('answers 401 to a request without a token', async () => {
    const { call, database } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    expect(await call('POST', '/api/tokens/0199f3c2-0000-7000-8000-000000000001/rotate', { body: {} })).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(database.leaves).toHaveLength(before);
  });
});
