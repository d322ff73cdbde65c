import { describe, expect, it } from '@jest/globals';
import { createRefusingTest, NO_ID, RUNS } from '../../fixtures/reconcile.ts';

describe('GET /api/reconciliations/runs/{run_id}/records', () => {
  it('answers 401 to a request without a token', async () => {
    const { call } = createRefusingTest();
    expect(await call('GET', `${RUNS}/${NO_ID}/records`)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
