import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createFakeIngest, createRecord, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/export', () => {
  it('answers 503 and delivers nothing when the log cannot say that texts leave', async () => {
    const stage = createFakeIngest();
    await createRecord(stage);
    stage.ledger.failNext({
      error: new ServiceError('ledger_unavailable', 'not now', { remedy: 'retry' }),
      kept: false,
    });
    const reply = await stage.call('GET', `${RECORDS}/export`, { as: stage.manager, query: { format: 'jsonl' } });
    expect(reply.status).toBe(503);
    expect(reply.body).toBeUndefined();
  });
});
