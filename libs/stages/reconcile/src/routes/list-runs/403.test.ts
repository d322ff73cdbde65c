import { describe, expect, it } from '@jest/globals';
import { createRefusingTest, RUNS } from '../../fixtures/reconcile.ts';

describe('GET /api/reconciliations/runs', () => {
  it('answers 403 to an application without the scope, and to one that asks for another application', async () => {
    const { call, reconciler } = createRefusingTest();
    const powerless = { ...reconciler, scopes: ['answer_audit:read'] as const };
    expect(await call('GET', RUNS, { as: powerless })).toMatchObject({ status: 403, code: 'scope_missing' });
    expect(await call('GET', RUNS, { as: reconciler, query: { application_key: 'sales-bot' } })).toMatchObject({
      status: 403,
      code: 'application_not_allowed',
    });
  });
});
