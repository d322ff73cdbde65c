import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('PUT /api/trust/policy', () => {
  it('answers 403 to a member and to an application, and does nothing', async () => {
    const stage = createFakeTrust();
    const { application, call, member } = stage;
    expect(await call('PUT', '/api/trust/policy', { as: member, body: DEFAULT_TRUST_POLICY })).toMatchObject({
      status: 403,
      code: 'role_not_allowed',
    });
    expect(await call('PUT', '/api/trust/policy', { as: application, body: DEFAULT_TRUST_POLICY })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
    expect(await stage.trust.policy(stage.workspace.id)).toMatchObject({ version: 0 });
  });
});
