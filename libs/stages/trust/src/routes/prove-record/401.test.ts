import { describe, expect, it } from '@jest/globals';
import { createFakeTrust, createRecord, NO_ID } from '../../fixtures/trust.ts';

describe('GET /api/trust/proofs/answers/{answer_log_id}', () => {
  it('answers 401 to a request without a token, whether the record is there or not', async () => {
    const stage = createFakeTrust();
    const { id } = await createRecord(stage);
    for (const path of [id, NO_ID])
      expect(await stage.call('GET', `/api/trust/proofs/answers/${path}`)).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      });
  });
});
