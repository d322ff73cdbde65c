import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/keys', () => {
  it('answers 403 to a member and to an application, and changes no key', async () => {
    const stage = createFakeTrust();
    const { application, call, member } = stage;
    const body = {};
    expect(await call('POST', '/api/trust/keys', { as: member, body })).toMatchObject({
      status: 403,
      code: 'role_not_allowed',
    });
    expect(await call('POST', '/api/trust/keys', { as: application, body })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
    expect((await stage.logs.signer(stage.workspace.id)).changes).toBe(0);
  });
});
