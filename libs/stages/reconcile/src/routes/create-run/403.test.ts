import { describe, expect, it } from '@jest/globals';
import { createRefusingTest, requestOf, RUNS } from '../../fixtures/reconcile.ts';

describe('POST /api/reconciliations/runs', () => {
  it('answers 403 to an application without the scope, and to one that names another application', async () => {
    const test = createRefusingTest();
    const body = requestOf(test, ['one']);
    const powerless = { ...test.reconciler, scopes: ['answer_audit:create', 'answer_audit:read'] as const };
    expect(await test.call('POST', RUNS, { as: powerless, body })).toMatchObject({
      status: 403,
      code: 'scope_missing',
    });
    const foreign = { ...body, application_key: 'sales-bot' };
    expect(await test.call('POST', RUNS, { as: test.reconciler, body: foreign })).toMatchObject({
      status: 403,
      code: 'application_not_allowed',
    });
  });
});
