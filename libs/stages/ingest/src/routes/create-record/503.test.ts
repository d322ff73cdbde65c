import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { answer, createFakeIngest, RECORDS } from '../../fixtures/ingest.ts';

const body = answer({ idempotency_key: 'message-1' });

describe('POST /api/answer-audit-logs', () => {
  it('answers 503 when nothing could be written, and the same request then makes the record', async () => {
    const { call, database, ledger, manager } = createFakeIngest();
    ledger.failNext({ error: new ServiceError('ledger_unavailable', 'not now', { remedy: 'retry' }), kept: false });
    expect(await call('POST', RECORDS, { as: manager, body })).toMatchObject({ status: 503 });
    const again = await call('POST', RECORDS, { as: manager, body });
    expect(again.status).toBe(201);
    expect(again.headers?.['Idempotency-Replayed']).toBeUndefined();
    expect(database.rows.answer_records).toHaveLength(1);
  });

  it('answers 503 when the record is kept but not signed, and the replay delivers its receipt', async () => {
    const { call, database, ledger, manager } = createFakeIngest();
    ledger.failNext({ error: new ServiceError('receipt_unavailable', 'not signed', { remedy: 'retry' }), kept: true });
    expect(await call('POST', RECORDS, { as: manager, body })).toMatchObject({
      status: 503,
      code: 'receipt_unavailable',
    });
    expect(await call('POST', RECORDS, { as: manager, body })).toMatchObject({
      status: 201,
      headers: { 'Idempotency-Replayed': 'true' },
      body: { id: database.rows.answer_records[0]?.id, receipt: expect.stringContaining('c2sp.org/tlog-proof@v1') },
    });
    expect(database.rows.answer_records).toHaveLength(1);
  });
});
