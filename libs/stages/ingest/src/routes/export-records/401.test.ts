import { describe, expect, it } from '@jest/globals';
import { createFakeIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/export', () => {
  it('answers 401 to a request without a token, and the log says of no export', async () => {
    const { call, database } = createFakeIngest();
    const before = database.leaves.length;
    expect(await call('GET', `${RECORDS}/export`, { query: { format: 'csv' } })).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(database.leaves).toHaveLength(before);
  });
});
