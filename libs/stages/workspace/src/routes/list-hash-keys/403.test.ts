import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/tenant/hash-keys', () => {
  it('answers 403 to a member and to an application, and nothing changes', async () => {
    const { call, database, member, application } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    const body = {};
    expect(await call('GET', '/api/tenant/hash-keys', { as: member, body })).toMatchObject({
      status: 403,
      code: 'role_not_allowed',
    });
    expect(await call('GET', '/api/tenant/hash-keys', { as: application, body })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
    expect(database.leaves).toHaveLength(before);
  });
});
