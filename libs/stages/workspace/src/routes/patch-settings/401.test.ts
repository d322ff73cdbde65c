import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('PATCH /api/tenant/settings', () => {
  it('answers 401 to a request without a token', async () => {
    const { call, database } = createFakeStage(createWorkspaceStage);
    const before = database.leaves.length;
    expect(
      await call('PATCH', '/api/tenant/settings', { body: { answer_audit_default_retention_days: 30 } }),
    ).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(database.leaves).toHaveLength(before);
  });
});
