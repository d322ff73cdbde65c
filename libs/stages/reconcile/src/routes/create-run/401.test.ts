import { describe, expect, it } from '@jest/globals';
import { createRefusingTest, RUNS } from '../../fixtures/reconcile.ts';

describe('POST /api/reconciliations/runs', () => {
  it('answers 401 to a request without a token', async () => {
    const { call } = createRefusingTest();
    expect(await call('POST', RUNS)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
