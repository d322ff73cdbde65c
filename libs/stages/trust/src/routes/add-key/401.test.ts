import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/keys', () => {
  it('answers 401 to a request without a token', async () => {
    const { call } = createFakeTrust();
    expect(await call('POST', '/api/trust/keys', { body: {} })).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
