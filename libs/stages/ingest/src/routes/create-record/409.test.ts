import { describe, expect, it } from '@jest/globals';
import { answer, appendEvent, createRecord, openIngest, RECORDS } from '../../fixtures/ingest.ts';

const KEYED = { idempotency_key: 'message-1' };

describe('POST /api/answer-audit-logs', () => {
  it.each([
    { question: { text: 'Why not?' } },
    { answer: { text: 'Because!' } },
    { environment: 'staging' },
    { mode: 'fast' },
    { source_refs: [{}] },
    { semantic_refs: [{}] },
  ])('answers 409 when a key comes again with %j, and keeps the first record alone', async (other) => {
    const stage = await openIngest();
    await createRecord(stage, KEYED);
    const before = (await stage.rows('ledger_leaves')).length;
    const body = answer({ ...KEYED, ...other });
    expect(await stage.call('POST', RECORDS, { as: stage.manager, body })).toMatchObject({
      status: 409,
      code: 'idempotency_payload_mismatch',
    });
    expect(await stage.rows('ledger_leaves')).toHaveLength(before);
  });

  it('answers 409 also when the text to compare with was redacted', async () => {
    const stage = await openIngest();
    const record = await createRecord(stage, KEYED);
    await appendEvent(stage, record.id, { event_type: 'redacted' });
    const body = answer({ ...KEYED, answer: { text: 'Because!' } });
    expect(await stage.call('POST', RECORDS, { as: stage.manager, body })).toMatchObject({ status: 409 });
  });

  it('answers 409 rather than 422 when the other payload is one that the policy refuses', async () => {
    const stage = await openIngest();
    await createRecord(stage, KEYED);
    const body = answer({ ...KEYED, answer: { hash: `sha256:${'0'.repeat(64)}` } });
    expect(await stage.call('POST', RECORDS, { as: stage.manager, body })).toMatchObject({ status: 409 });
  });
});
