import { describe, expect, it } from '@jest/globals';
import { createRecord, failingOnce, openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/export', () => {
  it('answers 503 and delivers nothing when the log cannot say that texts leave', async () => {
    const stage = await openIngest();
    await createRecord(stage);
    const { call } = failingOnce(stage, 'ledger_unavailable', false);
    const reply = await call('GET', `${RECORDS}/export`, { as: stage.manager, query: { format: 'jsonl' } });
    expect(reply.status).toBe(503);
    expect(reply.body).toBeUndefined();
  });
});
