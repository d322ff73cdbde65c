import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('GET /tlog/{workspace}/{+path}', () => {
  it('answers 401 to a request without a token', async () => {
    const { call } = createFakeTrust();
    for (const path of ['checkpoint', 'tile/0/000.p/2', 'tile/entries/000.p/2'])
      expect(await call('GET', `/tlog/acme/${path}`)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
