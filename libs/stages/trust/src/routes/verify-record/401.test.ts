import { describe, expect, it } from '@jest/globals';
import { createFakeTrust, createRecord, NO_ID, RECORDS } from '../../fixtures/trust.ts';

describe('GET /api/answer-audit-logs/{answer_log_id}/ledger/verify', () => {
  it('answers 401 to a request without a token, whether the record is there or not', async () => {
    const stage = createFakeTrust();
    const { id } = await createRecord(stage);
    for (const path of [id, NO_ID])
      expect(await stage.call('GET', `${RECORDS}/${path}/ledger/verify`)).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      });
  });
});
