import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/ledger-checks', () => {
  it('answers 403 to a member and to an application, and checks nothing', async () => {
    const { application, call, member } = createFakeTrust();
    expect(await call('POST', '/api/trust/ledger-checks', { as: member })).toMatchObject({
      status: 403,
      code: 'role_not_allowed',
    });
    expect(await call('POST', '/api/trust/ledger-checks', { as: application })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
  });
});
