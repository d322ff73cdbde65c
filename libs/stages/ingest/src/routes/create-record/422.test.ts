import { describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { REF_BYTES_MAX, type SettingsValues, TEXT_BYTES_MAX } from '@answer-evidence/contracts';
import { formatTimestamp, MICROS_PER_DAY } from '@answer-evidence/encoding';
import { answer, openIngest, openKeyedIngest, RECORDS } from '../../fixtures/ingest.ts';

const HASH = commitPlain('Because.');

describe('POST /api/answer-audit-logs', () => {
  it.each([
    [{ unknown: 1 }, '/unknown'],
    [{ application_key: '' }, '/application_key'],
    [{ question: {} }, '/question'],
    [{ answer: { hash: 'sha256:ABC' } }, '/answer/hash'],
    [{ question: { text: 'é'.repeat(TEXT_BYTES_MAX / 2 + 1) } }, '/question/text'],
    [{ semantic_refs: Array.from({ length: 201 }, () => ({})) }, '/semantic_refs'],
    [{ semantic_refs: [{}, { text: 'x'.repeat(REF_BYTES_MAX) }] }, '/semantic_refs/1'],
    [{ source_refs: [{ source_ref_id: 'two words' }] }, '/source_refs/0/source_ref_id'],
    [{ source_refs: [{ source_ref_id: 'a' }, { source_ref_id: 'a' }] }, '/source_refs/1/source_ref_id'],
    [{ mode: 'x'.repeat(65) }, '/mode'],
    [{ retention_until: '2027-02-30T00:00:00Z' }, '/retention_until'],
    [{ evidence_access_event_ids: ['0199f3c2-0000-7000-8000-000000000001'] }, '/evidence_access_event_ids/0'],
  ])('answers 422 to %.60j and points at %s', async (fault, pointer) => {
    const { call, rows, manager } = await openIngest();
    const reply = await call('POST', RECORDS, { as: manager, body: answer(fault) });
    expect(reply.status).toBe(422);
    expect(reply.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await rows('answer_records')).toEqual([]);
  });

  it.each<[string, Partial<SettingsValues>, object, string, string]>([
    ['a hash without text', {}, { hash: HASH }, 'caller_hash_not_accepted', '/answer/hash'],
    [
      'text where none is accepted',
      { answer_audit_accept_text: false },
      { text: 'x' },
      'text_not_accepted',
      '/question/text',
    ],
    ['a hash of another text', {}, { text: 'Because!', hash: HASH }, 'hash_mismatch', '/answer/hash'],
  ])('answers 422 to %s', async (_, policy, value, code, pointer) => {
    const { call, rows, manager } = await openIngest(policy);
    expect(await call('POST', RECORDS, { as: manager, body: answer({ answer: value }) })).toMatchObject({
      status: 422,
      code,
      errors: [{ pointer }],
    });
    expect(await rows('answer_records')).toEqual([]);
  });

  it('answers 422 to a hash under keyed hashing, with its text or without', async () => {
    const { call, manager } = await openKeyedIngest();
    for (const value of [{ hash: HASH }, { text: 'Because.', hash: HASH }])
      expect(await call('POST', RECORDS, { as: manager, body: answer({ answer: value }) })).toMatchObject({
        status: 422,
        code: 'caller_hash_not_accepted',
      });
  });

  it.each([-1, 3651])('answers 422 to a retention that ends %i days from now', async (days) => {
    const { call, clock, manager } = await openIngest();
    const body = answer({ retention_until: formatTimestamp(clock.nowMicros() + days * MICROS_PER_DAY) });
    expect(await call('POST', RECORDS, { as: manager, body })).toMatchObject({
      status: 422,
      code: 'retention_out_of_range',
      errors: [{ pointer: '/retention_until' }],
    });
  });

  it('answers 422 when the Idempotency-Key header and the body name different keys', async () => {
    const { call, manager } = await openIngest();
    const headers = { 'idempotency-key': '"other"' };
    expect(
      await call('POST', RECORDS, { as: manager, headers, body: answer({ idempotency_key: 'message-1' }) }),
    ).toMatchObject({ status: 422, code: 'idempotency_key_mismatch' });
  });

  it('does not use up the idempotency key of what it refuses', async () => {
    const { call, manager } = await openIngest();
    const refused = answer({ idempotency_key: 'k', answer: { hash: HASH } });
    expect(await call('POST', RECORDS, { as: manager, body: refused })).toMatchObject({ status: 422 });
    expect(await call('POST', RECORDS, { as: manager, body: answer({ idempotency_key: 'k' }) })).toMatchObject({
      status: 201,
    });
  });
});
