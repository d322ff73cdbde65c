import { describe, expect, it } from '@jest/globals';
import { openReconcileTest, requestOf, RUNS } from '../../fixtures/reconcile.ts';

describe('POST /api/reconciliations/runs', () => {
  it('answers 409 to an Idempotency-Key that was used with another payload', async () => {
    const test = await openReconcileTest();
    const headers = { 'idempotency-key': 'nightly' };
    const body = requestOf(test, ['one']);
    expect((await test.call('POST', RUNS, { as: test.manager, body, headers })).status).toBe(202);
    const other = { ...body, max_lateness_seconds: 10 };
    expect(await test.call('POST', RUNS, { as: test.manager, body: other, headers })).toMatchObject({
      status: 409,
      code: 'idempotency_payload_mismatch',
    });
    await test.close();
  });
});
