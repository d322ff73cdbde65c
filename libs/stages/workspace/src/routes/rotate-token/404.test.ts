import { describe, expect, it } from '@jest/globals';
import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/tokens/{token_id}/rotate', () => {
  it("answers 404 to a member for another's token, exactly as for none, and the token lives on", async () => {
    const { call, database, manager, member } = createFakeStage(createWorkspaceStage);
    const body = { name: 'of the manager', kind: 'user' };
    const { id } = issuedToken.parse((await call('POST', '/api/tokens', { as: manager, body })).body);
    const others = await call('POST', `/api/tokens/${id}/rotate`, { as: member });
    const none = await call('POST', '/api/tokens/0199f3c2-0000-7000-8000-000000000001/rotate', { as: member });
    expect(others).toMatchObject({ status: 404, code: 'not_found' });
    expect(others).toEqual(none);
    expect(database.rows.tokens).toMatchObject([{ id, revoked_at: null }]);
  });
});
