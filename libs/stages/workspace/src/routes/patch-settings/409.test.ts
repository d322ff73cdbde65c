import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('PATCH /api/tenant/settings', () => {
  it.each([
    { version: 2, answer_audit_default_retention_days: 30 },
    { version: 2 },
    { version: 2, answer_audit_hash_key_id: 'hk_none' },
  ])('answers 409 to %j at version 1, and nothing changes', async (body) => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const before = database.rows.ledger_leaves.length;
    expect(await call('PATCH', '/api/tenant/settings', { as: manager, body })).toMatchObject({
      status: 409,
      code: 'version_conflict',
      errors: [{ pointer: '/version' }],
    });
    expect(database.rows.ledger_leaves).toHaveLength(before);
  });

  it('lets one of two patches at the same version through, and answers 409 to the other', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const replies = await Promise.all(
      [30, 31].map((days) =>
        call('PATCH', '/api/tenant/settings', {
          as: manager,
          body: { version: 1, answer_audit_default_retention_days: days },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(database.settings().version).toBe(2);
  });
});
