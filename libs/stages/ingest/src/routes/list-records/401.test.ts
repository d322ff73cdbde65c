import { describe, expect, it } from '@jest/globals';
import { createFakeIngest, createRecord, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs', () => {
  it('answers 401 to a request without a token, and shows nothing', async () => {
    const stage = createFakeIngest();
    await createRecord(stage);
    const reply = await stage.call('GET', RECORDS);
    expect(reply).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(reply.body).toBeUndefined();
  });
});
