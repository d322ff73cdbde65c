import { describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { appendEvent, createRecord, openIngest, readRecord, RECORDS } from '../../fixtures/ingest.ts';

describe('POST /api/answer-audit-logs/{answer_log_id}/events', () => {
  it.each<[object, string, string]>([
    [{ event_type: 'deleted' }, 'schema_violation', '/event_type'],
    [{ event_type: 'voided', reason: 'x'.repeat(4001) }, 'schema_violation', '/reason'],
    [{ event_type: 'correction_appended', reason: 'wrong' }, 'schema_violation', '/payload/corrected_answer_text'],
    [
      { event_type: 'correction_appended', payload: { ticket: 7 } },
      'schema_violation',
      '/payload/corrected_answer_text',
    ],
    [{ event_type: 'voided', unknown: 1 }, 'schema_violation', '/unknown'],
    [{ event_type: 'voided', payload: { reason_code: 7 } }, 'schema_violation', '/payload/reason_code'],
    [
      { event_type: 'redacted', payload: { redact_source_ref_ids: ['faq', 'none'] } },
      'source_ref_not_found',
      '/payload/redact_source_ref_ids/1',
    ],
    [
      { event_type: 'redacted', payload: { redact_event_ids: ['018F0000-0000-7000-8000-0000000000AB'] } },
      'event_not_found',
      '/payload/redact_event_ids/0',
    ],
    [
      { event_type: 'redacted', payload: { redact_event_ids: ['the last one'] } },
      'schema_violation',
      '/payload/redact_event_ids',
    ],
    [
      { event_type: 'correction_appended', payload: { corrected_answer_hash: 'md5:0' } },
      'schema_violation',
      '/payload/corrected_answer_hash',
    ],
    [
      {
        event_type: 'correction_appended',
        payload: { corrected_answer_text: 'No.', corrected_answer_hash: commitPlain('Yes.') },
      },
      'hash_mismatch',
      '/payload/corrected_answer_hash',
    ],
    [
      { event_type: 'retention_extended', payload: { retain_until: '2020-01-01T00:00:00Z' } },
      'retention_out_of_range',
      '/payload/retain_until',
    ],
    [
      { event_type: 'retention_extended', payload: { retain_until: '2099-01-01T00:00:00Z' } },
      'retention_out_of_range',
      '/payload/retain_until',
    ],
  ])('answers 422 to %.80j, and the record stays as it was', async (body, code, pointer) => {
    const stage = await openIngest();
    const created = await createRecord(stage, { source_refs: [{ source_ref_id: 'faq' }] });
    const reply = await stage.call('POST', `${RECORDS}/${created.id}/events`, { as: stage.manager, body });
    expect(reply).toMatchObject({ status: 422, code });
    expect(reply.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await readRecord(stage, created.id)).toEqual(created);
  });

  it('answers 422 to a redaction that names an event of another record, and erases nothing', async () => {
    const stage = await openIngest();
    const other = await appendEvent(stage, (await createRecord(stage)).id, { event_type: 'voided', reason: 'theirs' });
    const { id } = await createRecord(stage);
    const before = await appendEvent(stage, id, { event_type: 'voided', reason: 'ours' });
    const named = [before.events?.[0]?.id, other.events?.[0]?.id];
    const body = { event_type: 'redacted', payload: { redact_event_ids: named } };
    expect(await stage.call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body })).toMatchObject({
      status: 422,
      code: 'event_not_found',
      errors: [{ pointer: '/payload/redact_event_ids/1' }],
    });
    expect(await readRecord(stage, id)).toEqual(before);
    expect((await readRecord(stage, other.id)).events).toEqual(other.events);
  });

  it('answers 422 to a corrected text where the policy accepts none, and 200 to a manager’s hash', async () => {
    const stage = await openIngest({ answer_audit_accept_text: false, answer_audit_accept_caller_hash: true });
    const hash = commitPlain('x');
    const { id } = await createRecord(stage, { question: { hash }, answer: { hash } });
    const call = (payload: object) =>
      stage.call('POST', `${RECORDS}/${id}/events`, {
        as: stage.manager,
        body: { event_type: 'correction_appended', payload },
      });
    expect(await call({ corrected_answer_text: 'No.' })).toMatchObject({
      status: 422,
      code: 'text_not_accepted',
      errors: [{ pointer: '/payload/corrected_answer_text' }],
    });
    expect(await call({ corrected_answer_hash: hash })).toMatchObject({ status: 200 });
  });
});
