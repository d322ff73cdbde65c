import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRun, openReconcileTest, type ReconcileTest, requestOf, RUNS } from '../fixtures/reconcile.ts';

let test: ReconcileTest;

beforeAll(async () => {
  test = await openReconcileTest();
});

afterAll(() => test.close());

describe.each(['findings', 'records', 'proof'])('GET /api/reconciliations/runs/{run_id}/%s', (part) => {
  it('answers 403 to an application without the scope, and to another application', async () => {
    const run = await createRun(test, requestOf(test, ['one'], { application_key: 'sales-bot' }));
    const path = `${RUNS}/${run.id}/${part}`;
    expect(await test.call('GET', path, { as: test.application })).toMatchObject({
      status: 403,
      code: 'scope_missing',
    });
    expect(await test.call('GET', path, { as: test.reconciler })).toMatchObject({
      status: 403,
      code: 'application_not_allowed',
    });
  });
});
