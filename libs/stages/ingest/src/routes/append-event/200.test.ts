import { beforeAll, describe, expect, it } from '@jest/globals';
import { actorOf } from '@answer-evidence/access';
import { commitPlain } from '@answer-evidence/commitments';
import { answerRecord } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { createEventCommand } from '@answer-evidence/ledger';
import { claimKey } from '@answer-evidence/preparation';
import {
  appendEvent,
  createRecord,
  type IngestTest,
  openIngest,
  openKeyedIngest,
  readRecord,
  RECORDS,
} from '../../fixtures/ingest.ts';

describe('POST /api/answer-audit-logs/{answer_log_id}/events', () => {
  let stage: IngestTest;
  beforeAll(async () => {
    stage = await openIngest();
  });

  it('answers with the updated record, which a read then shows', async () => {
    const { id } = await createRecord(stage);
    const updated = await appendEvent(stage, id, {
      event_type: 'correction_appended',
      reason: 'it was wrong',
      payload: { corrected_answer_text: 'No.', ticket: 'T-1' },
    });
    expect(updated).toMatchObject({
      id,
      status: 'corrected',
      answer: { text: 'Because.' },
      events: [
        {
          sequence: 1,
          reason: 'it was wrong',
          payload: { ticket: 'T-1', corrected_answer_hash: commitPlain('No.') },
          corrected_answer: { hash: commitPlain('No.'), text: 'No.', text_state: 'stored', origin: 'service' },
          actor: { kind: 'user', id: stage.manager.userId, token_id: stage.manager.tokenId },
        },
      ],
    });
    expect(await readRecord(stage, id)).toEqual(updated);
  });

  it('erases at a redaction every text and what it names, and keeps commitments, history and the rest', async () => {
    const { id, ...created } = await createRecord(stage, {
      semantic_refs: [{ concept: 'x' }],
      source_refs: [
        { source_ref_id: 'a', secret: 1 },
        { source_ref_id: 'b', open: 2 },
      ],
    });
    await appendEvent(stage, id, { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } });
    const redacted = await appendEvent(stage, id, {
      event_type: 'redacted',
      reason: 'a request',
      payload: { reason_code: 'privacy', redact_source_ref_ids: ['a'] },
    });
    const [correction, redaction] = redacted.events ?? [];
    expect(redacted).toMatchObject({
      status: 'redacted',
      record_hash: created.record_hash,
      question: { hash: created.question.hash, text: null, text_state: 'redacted' },
      answer: { hash: created.answer.hash, text: null, text_state: 'redacted' },
      semantic_refs: [{ concept: 'x' }],
    });
    expect(redacted.source_refs).toEqual([
      {
        source_ref_id: 'a',
        tombstone: { event_id: redaction?.id, reason_code: 'privacy', redacted_at: redaction?.created_at },
      },
      { source_ref_id: 'b', open: 2 },
    ]);
    expect(correction?.corrected_answer).toMatchObject({
      hash: commitPlain('No.'),
      text: null,
      text_state: 'redacted',
    });
    expect(redaction?.reason).toBe('a request');
    const stored = await stage.records.find(stage.workspace.id, id);
    expect([stored?.sealed?.texts, stored?.events[0]?.sealed]).toEqual([null, undefined]);
  });

  it('redacts further items later, and names with each item the event that took it', async () => {
    const { id } = await createRecord(stage, {
      semantic_refs: [{ concept: 'x' }],
      source_refs: [{ source_ref_id: 'a' }, { source_ref_id: 'b' }],
    });
    const redact = (payload: object) => appendEvent(stage, id, { event_type: 'redacted', payload });
    await redact({ redact_source_ref_ids: ['a'] });
    const { events = [], ...last } = await redact({ redact_source_ref_ids: ['a', 'b'], redact_semantic_refs: true });
    expect(last.source_refs).toMatchObject([
      { source_ref_id: 'a', tombstone: { event_id: events[0]?.id } },
      { source_ref_id: 'b', tombstone: { event_id: events[1]?.id } },
    ]);
    expect(last.semantic_refs).toMatchObject([{ tombstone: { event_id: events[1]?.id } }]);
    expect((await stage.records.find(stage.workspace.id, id))?.sealed).toBeUndefined();
  });

  it('erases what managers wrote into earlier events, and says in its place which redaction took it', async () => {
    const { id } = await createRecord(stage);
    await appendEvent(stage, id, { event_type: 'retention_extended' });
    await appendEvent(stage, id, {
      event_type: 'voided',
      reason: 'a customer called',
      payload: { caller: 'a customer' },
    });
    const before = await appendEvent(stage, id, {
      event_type: 'redacted',
      reason: 'the customer asked for it',
      payload: { reason_code: 'privacy' },
    });
    const [extension, voided, redaction] = before.events ?? [];
    const grave = { event_id: redaction?.id, reason_code: 'privacy', redacted_at: redaction?.created_at };
    expect(extension).not.toHaveProperty('reason_tombstone');
    expect(voided).toMatchObject({ reason: null, reason_tombstone: grave, payload: {}, payload_tombstone: grave });
    expect(redaction).toMatchObject({
      reason: 'the customer asked for it',
      payload: { reason_code: 'privacy', redact_event_ids: [voided?.id] },
    });
    expect(redaction).not.toHaveProperty('reason_tombstone');
    const named = [redaction?.id.toUpperCase(), extension?.id, redaction?.id];
    const after = await appendEvent(stage, id, { event_type: 'redacted', payload: { redact_event_ids: named } });
    const [, , , last] = after.events ?? [];
    const later = { event_id: last?.id, reason_code: null, redacted_at: last?.created_at };
    expect(last?.payload).toEqual({ redact_event_ids: [extension?.id, redaction?.id] });
    const graves = (after.events ?? []).map((event) => [event.reason_tombstone, event.payload_tombstone]);
    expect(graves).toEqual([
      [undefined, undefined],
      [grave, grave],
      [later, undefined],
      [undefined, undefined],
    ]);
    expect((after.events ?? []).map(({ reason }) => reason)).toEqual([null, null, null, null]);
    expect(await readRecord(stage, id)).toEqual(after);
    const stored = await stage.records.find(stage.workspace.id, id);
    expect(stored?.events.map(({ sealed }) => sealed)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('answers a replay of an event that was redacted since with its tombstone', async () => {
    const { id } = await createRecord(stage);
    const send = () =>
      stage.call('POST', `${RECORDS}/${id}/events`, {
        as: stage.manager,
        headers: { 'idempotency-key': 'k' },
        body: { event_type: 'voided', reason: 'a customer called', payload: { caller: 'a customer' } },
      });
    await send();
    await appendEvent(stage, id, { event_type: 'redacted' });
    const { body, headers } = await send();
    expect(headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
    const [, redaction] = answerRecord.parse(body).events ?? [];
    const grave = { event_id: redaction?.id, reason_code: null };
    expect(body).toMatchObject({ events: [{ reason: null, reason_tombstone: grave, payload_tombstone: grave }, {}] });
    expect(JSON.stringify(body)).not.toContain('a customer');
  });

  it('appends one event for equal requests with one key, and answers each with the updated record', async () => {
    const { id } = await createRecord(stage);
    const call = () =>
      stage.call('POST', `${RECORDS}/${id}/events`, {
        as: stage.manager,
        headers: { 'idempotency-key': 'k' },
        body: { event_type: 'voided', reason: 'once' },
      });
    const replies = await Promise.all([call(), call(), call()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies.filter(({ headers }) => headers?.['Idempotency-Replayed'] === 'true')).toHaveLength(2);
    for (const { body } of replies)
      expect(answerRecord.parse(body).events).toMatchObject([{ reason: 'once', idempotency_key: 'k' }]);
  });

  it('takes an event in other words for the same, and one that says another thing for a conflict', async () => {
    const { id } = await createRecord(stage, { source_refs: [{ source_ref_id: 'a' }, { source_ref_id: 'b' }] });
    const send = (payload: unknown) =>
      stage.call('POST', `${RECORDS}/${id}/events`, {
        as: stage.manager,
        headers: { 'idempotency-key': 'k' },
        body: { event_type: 'redacted', reason: 'asked for', payload },
      });
    const { events = [] } = await appendEvent(stage, id, { event_type: 'retention_extended' });
    await appendEvent(stage, id, { event_type: 'retention_extended', reason: 'goes in any case' });
    const one = events[0]?.id ?? '';
    const other = (await readRecord(stage, id)).events?.[1]?.id ?? '';
    const first = { redact_source_ref_ids: ['a', 'b'], redact_event_ids: [one, other] };
    expect((await send(first)).headers?.['Idempotency-Replayed']).toBeUndefined();
    const again = {
      redact_source_ref_ids: ['b', 'a', 'b'],
      redact_semantic_refs: false,
      redact_event_ids: [other.toUpperCase(), one, other],
    };
    expect(await send(again)).toMatchObject({ status: 200, headers: { 'Idempotency-Replayed': 'true' } });
    for (const conflicting of [
      { ...again, redact_source_ref_ids: ['a'] },
      { ...again, redact_semantic_refs: true },
      { ...again, redact_event_ids: [one] },
      { ...again, redact_event_ids: [] },
      { ...again, x: 1 },
    ])
      expect(await send(conflicting)).toMatchObject({ status: 409, code: 'idempotency_payload_mismatch' });
  });

  it('finds the record by an id in upper case', async () => {
    const { id } = await createRecord(stage);
    expect((await appendEvent(stage, id.toUpperCase(), { event_type: 'voided', reason: 'once' })).id).toBe(id);
  });

  it('gives events that arrive together sequences without a gap, each after the hash of the one before', async () => {
    const { id, record_hash: recordHash } = await createRecord(stage);
    await Promise.all(
      [1, 2, 3, 4].map((n) => appendEvent(stage, id, { event_type: 'retention_extended', reason: String(n) })),
    );
    const { events = [], status } = await readRecord(stage, id);
    expect(status).toBe('recorded');
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(events.map((event) => event.prev_event_hash)).toEqual([
      recordHash,
      ...events.slice(0, 3).map((event) => event.event_hash),
    ]);
  });
});

describe('POST /api/answer-audit-logs/{answer_log_id}/events, corrections', () => {
  it.each([
    ['a hash', { corrected_answer_hash: commitPlain('No.') }, 'not_submitted', 'caller'],
    ['a text', { corrected_answer_text: 'No.' }, 'stored', 'service'],
    ['both', { corrected_answer_text: 'No.', corrected_answer_hash: commitPlain('No.') }, 'stored', 'service'],
  ])('takes %s', async (_, payload, state, origin) => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    const { events } = await appendEvent(stage, id, { event_type: 'correction_appended', payload });
    expect(events).toMatchObject([
      { corrected_answer: { hash: commitPlain('No.'), hash_key_id: null, text_state: state, origin } },
    ]);
  });

  it('replays one that was accepted without an answer, as corrections once were', async () => {
    const stage = await openIngest();
    const { workspace, manager } = stage;
    const { id } = await createRecord(stage);
    const eventId = '0199f3c2-0000-7000-8000-000000000007';
    const body = { event_type: 'correction_appended', reason: 'wrong' } as const;
    const use = { scope: `event:${id}`, key: 'k', objectId: eventId };
    const row = {
      record_id: id,
      id: eventId,
      nonce: new Uint8Array(16),
      event_type: body.event_type,
      actor_json: canonicalize(actorOf(manager)),
      idempotency_key: 'k',
      reason_hash: null,
      payload_json: '{}',
      payload_rest_hash: null,
      corrected_answer_json: 'null',
      approval_json: null,
    };
    const claim = claimKey(workspace.vault, use, JSON.stringify(body), () => '');
    await stage.ledger.append(workspace.id, ({ version }) => {
      const prepared = { row: { ...row, settings_version: version }, sealed: null, erasure: null };
      return Promise.resolve(createEventCommand(eventId, id, version, claim, prepared));
    });
    const reply = await stage.call('POST', `${RECORDS}/${id}/events`, {
      as: manager,
      headers: { 'idempotency-key': 'k' },
      body,
    });
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'Idempotency-Replayed': 'true' },
      body: { status: 'corrected', events: [{ id: eventId, corrected_answer: null }] },
    });
  });

  it('keeps no corrected text where the policy keeps no answers', async () => {
    const stage = await openIngest({ answer_audit_store_answer_text: false });
    const { id } = await createRecord(stage);
    const payload = { corrected_answer_text: 'No.' };
    const { events } = await appendEvent(stage, id, { event_type: 'correction_appended', payload });
    expect(events).toMatchObject([
      { corrected_answer: { hash: commitPlain('No.'), text: null, text_state: 'discarded' } },
    ]);
  });

  it('commits to a corrected text with the tenant’s key under keyed hashing, and still takes a manager’s hash', async () => {
    const stage = await openKeyedIngest();
    const { id } = await createRecord(stage);
    const correct = (payload: object) => appendEvent(stage, id, { event_type: 'correction_appended', payload });
    await correct({ corrected_answer_text: 'No.' });
    const { events } = await correct({ corrected_answer_hash: commitPlain('No.') });
    expect(events).toMatchObject([
      {
        corrected_answer: {
          hash: expect.stringMatching(/^hmac-sha256:/),
          hash_key_id: (await stage.rows('hash_keys'))[0]?.id,
          text: 'No.',
        },
      },
      { corrected_answer: { hash: commitPlain('No.'), hash_key_id: null, origin: 'caller' } },
    ]);
  });

  it('leaves the retention of the record as it was when it is extended', async () => {
    const stage = await openIngest();
    const { id, retention_until: until } = await createRecord(stage);
    const payload = { retain_until: '2030-01-01T01:00:00+01:00' };
    const updated = await appendEvent(stage, id, { event_type: 'retention_extended', payload });
    expect(updated).toMatchObject({
      retention_until: until,
      events: [{ payload: { retain_until: '2030-01-01T00:00:00.000000Z' } }],
    });
  });
});
