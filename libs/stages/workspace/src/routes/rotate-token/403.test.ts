import { describe, expect, it } from '@jest/globals';
import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/tokens/{token_id}/rotate', () => {
  it('answers 403 to an application', async () => {
    const { application, call } = createFakeStage(createWorkspaceStage);
    expect(
      await call('POST', '/api/tokens/0199f3c2-0000-7000-8000-000000000001/rotate', { as: application }),
    ).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
  });

  it("answers 403 to a manager for another user's token, which would speak for that user, and changes nothing", async () => {
    const { call, database, manager, member } = createFakeStage(createWorkspaceStage);
    const body = { name: 'of the member', kind: 'user' };
    const { id } = issuedToken.parse((await call('POST', '/api/tokens', { as: member, body })).body);
    const before = database.rows.ledger_leaves.length;
    expect(await call('POST', `/api/tokens/${id}/rotate`, { as: manager })).toMatchObject({
      status: 403,
      code: 'role_not_allowed',
    });
    expect(database.rows.ledger_leaves).toHaveLength(before);
  });
});
