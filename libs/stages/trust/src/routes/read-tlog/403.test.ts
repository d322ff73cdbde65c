import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('GET /tlog/{workspace}/{+path}', () => {
  it('answers 403 to an application without the scope to read', async () => {
    const { application, call } = createFakeTrust();
    const as = { ...application, scopes: ['answer_audit:create'] as const };
    for (const path of ['checkpoint', 'tile/0/000.p/2', 'tile/entries/000.p/2'])
      expect(await call('GET', `/tlog/acme/${path}`, { as })).toMatchObject({ status: 403, code: 'scope_missing' });
  });
});
