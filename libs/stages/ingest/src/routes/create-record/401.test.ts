import { describe, expect, it } from '@jest/globals';
import { answer, createFakeIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('POST /api/answer-audit-logs', () => {
  it('answers 401 to a request without a token, and records nothing', async () => {
    const { call, database } = createFakeIngest();
    const before = database.leaves.length;
    expect(await call('POST', RECORDS, { body: answer() })).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(database.leaves).toHaveLength(before);
  });
});
