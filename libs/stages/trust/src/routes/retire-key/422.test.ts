import { describe, expect, it } from '@jest/globals';
import { openTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/keys/retire', () => {
  it('answers 422 to a request that names no key', async () => {
    const { call, manager } = await openTrust();
    for (const body of [{}, { vkey: '' }, { vkey: 'a', more: 1 }])
      expect(await call('POST', '/api/trust/keys/retire', { as: manager, body })).toMatchObject({
        status: 422,
        code: 'schema_violation',
      });
  });
});
