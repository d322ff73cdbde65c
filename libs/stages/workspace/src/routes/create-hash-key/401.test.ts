import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/tenant/hash-keys', () => {
  it('answers 401 to a request without a token', async () => {
    const { call, database } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    expect(await call('POST', '/api/tenant/hash-keys', { body: {} })).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(database.leaves).toHaveLength(before);
  });
});
