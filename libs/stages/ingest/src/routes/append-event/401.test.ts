import { describe, expect, it } from '@jest/globals';
import { createFakeIngest, createRecord, RECORDS } from '../../fixtures/ingest.ts';

describe('POST /api/answer-audit-logs/{answer_log_id}/events', () => {
  it('answers 401 to a request without a token, and nothing is appended', async () => {
    const stage = createFakeIngest();
    const { id } = await createRecord(stage);
    expect(await stage.call('POST', `${RECORDS}/${id}/events`, { body: { event_type: 'voided' } })).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(stage.database.events).toEqual([]);
  });
});
