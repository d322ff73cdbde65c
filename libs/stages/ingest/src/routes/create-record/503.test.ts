import { describe, expect, it } from '@jest/globals';
import { answer, failingOnce, openIngest, RECORDS } from '../../fixtures/ingest.ts';

const body = answer({ idempotency_key: 'message-1' });

describe('POST /api/answer-audit-logs', () => {
  it('answers 503 when nothing could be written, and the same request then makes the record', async () => {
    const { call, rows, manager } = failingOnce(await openIngest(), 'ledger_unavailable', false);
    expect(await call('POST', RECORDS, { as: manager, body })).toMatchObject({ status: 503 });
    const again = await call('POST', RECORDS, { as: manager, body });
    expect(again.status).toBe(201);
    expect(again.headers?.['Idempotency-Replayed']).toBeUndefined();
    expect(await rows('answer_records')).toHaveLength(1);
  });

  it('answers 503 when the record is kept but not signed, and the replay delivers its receipt', async () => {
    const { call, rows, manager } = failingOnce(await openIngest(), 'receipt_unavailable', true);
    expect(await call('POST', RECORDS, { as: manager, body })).toMatchObject({
      status: 503,
      code: 'receipt_unavailable',
    });
    expect(await call('POST', RECORDS, { as: manager, body })).toMatchObject({
      status: 201,
      headers: { 'Idempotency-Replayed': 'true' },
      body: { id: (await rows('answer_records'))[0]?.id, receipt: expect.stringContaining('c2sp.org/tlog-proof@v1') },
    });
    expect(await rows('answer_records')).toHaveLength(1);
  });
});
