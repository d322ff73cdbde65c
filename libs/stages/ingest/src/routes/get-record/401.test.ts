import { describe, expect, it } from '@jest/globals';
import { createFakeIngest, createRecord, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/{answer_log_id}', () => {
  it('answers 401 to a request without a token, whether the record is there or not', async () => {
    const stage = createFakeIngest();
    const { id } = await createRecord(stage);
    for (const path of [id, '0199f3c2-0000-7000-8000-000000000001'])
      expect(await stage.call('GET', `${RECORDS}/${path}`)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
