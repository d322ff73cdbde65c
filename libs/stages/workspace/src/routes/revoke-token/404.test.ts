import { describe, expect, it } from '@jest/globals';
import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('DELETE /api/tokens/{token_id}', () => {
  it("answers 404 to a member for another's token, exactly as for none, and the token lives on", async () => {
    const { call, database, manager, member } = createFakeStage(createWorkspaceStage);
    const body = { name: 'of the manager', kind: 'user' };
    const { id } = issuedToken.parse((await call('POST', '/api/tokens', { as: manager, body })).body);
    const others = await call('DELETE', `/api/tokens/${id}`, { as: member });
    const none = await call('DELETE', '/api/tokens/0199f3c2-0000-7000-8000-000000000001', { as: member });
    expect(others).toMatchObject({ status: 404, code: 'not_found' });
    expect(others).toEqual(none);
    expect(database.rows.tokens[0]?.revoked_at).toBeNull();
  });

  it('answers 404 for a token of another workspace, and for an id that is not one', async () => {
    const here = createFakeStage(createWorkspaceStage);
    const there = createFakeStage(createWorkspaceStage);
    const body = { name: 'elsewhere', kind: 'user' };
    const { id } = issuedToken.parse((await there.call('POST', '/api/tokens', { as: there.manager, body })).body);
    for (const asked of [id, 'laptop'])
      expect(await here.call('DELETE', `/api/tokens/${asked}`, { as: here.manager })).toMatchObject({ status: 404 });
  });
});
