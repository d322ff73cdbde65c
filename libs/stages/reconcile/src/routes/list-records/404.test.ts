import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_ID, openReconcileTest, type ReconcileTest, RUNS } from '../../fixtures/reconcile.ts';

let test: ReconcileTest;

beforeAll(async () => {
  test = await openReconcileTest();
});

afterAll(() => test.close());

describe('GET /api/reconciliations/runs/{run_id}/records', () => {
  it.each([NO_ID, 'no-id'])('answers 404 to %s, which names no run', async (id) => {
    expect(await test.call('GET', `${RUNS}/${id}/records`, { as: test.manager })).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});
