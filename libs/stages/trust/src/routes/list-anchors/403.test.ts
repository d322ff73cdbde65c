import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('GET /api/trust/anchors', () => {
  it('answers 403 to an application without the scope to read', async () => {
    const { application, call } = createFakeTrust();
    const as = { ...application, scopes: ['answer_audit:create', 'answer_audit:reconcile'] as const };
    expect(await call('GET', '/api/trust/anchors', { as })).toMatchObject({ status: 403, code: 'scope_missing' });
  });
});
