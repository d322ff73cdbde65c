import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/ledger-checks', () => {
  it('answers 401 to a request without a token, and checks nothing', async () => {
    const { call } = createFakeTrust();
    expect(await call('POST', '/api/trust/ledger-checks')).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
