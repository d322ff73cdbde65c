import { describe, expect, it } from '@jest/globals';
import { openTrust } from '../../fixtures/trust.ts';

describe('GET /api/trust/anchors', () => {
  it('answers 422 to a page that no list reaches', async () => {
    const { application, call } = await openTrust();
    const far = await call('GET', '/api/trust/anchors', { as: application, query: { page: '51', size: '200' } });
    expect(far).toMatchObject({ status: 422, code: 'page_out_of_reach' });
    const odd = await call('GET', '/api/trust/anchors', { as: application, query: { size: '201' } });
    expect(odd).toMatchObject({ status: 422, code: 'schema_violation' });
  });
});
