import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('GET /api/trust/witnesses', () => {
  it('answers 401 to a request without a token', async () => {
    const { call } = createFakeTrust();
    expect(await call('GET', '/api/trust/witnesses')).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
