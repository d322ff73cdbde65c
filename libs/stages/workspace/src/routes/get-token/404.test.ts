import { describe, expect, it } from '@jest/globals';
import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/tokens/{token_id}', () => {
  it("answers 404 to a member for another's token, exactly as for none", async () => {
    const { call, manager, member } = createFakeStage(createWorkspaceStage);
    const body = { name: 'of the manager', kind: 'user' };
    const { id } = issuedToken.parse((await call('POST', '/api/tokens', { as: manager, body })).body);
    const others = await call('GET', `/api/tokens/${id}`, { as: member });
    const none = await call('GET', '/api/tokens/0199f3c2-0000-7000-8000-000000000001', { as: member });
    expect(others).toMatchObject({ status: 404, code: 'not_found' });
    expect(others).toEqual(none);
  });
});
