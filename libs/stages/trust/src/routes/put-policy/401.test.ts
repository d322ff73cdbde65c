import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('PUT /api/trust/policy', () => {
  it('answers 401 to a request without a token', async () => {
    const { call } = createFakeTrust();
    expect(await call('PUT', '/api/trust/policy')).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
