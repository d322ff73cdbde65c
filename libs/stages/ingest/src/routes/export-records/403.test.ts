import { describe, expect, it } from '@jest/globals';
import { createFakeIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/export', () => {
  it('answers 403 to a member and to an application, and the log says of no export', async () => {
    const { application, call, database, member } = createFakeIngest();
    const before = database.leaves.length;
    const query = { format: 'jsonl', application_key: 'support-bot' };
    expect(await call('GET', `${RECORDS}/export`, { as: member, query })).toMatchObject({
      status: 403,
      code: 'role_not_allowed',
    });
    expect(await call('GET', `${RECORDS}/export`, { as: application, query })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
    expect(database.leaves).toHaveLength(before);
  });
});
