import { describe, expect, it } from '@jest/globals';
import type { EventType } from '@answer-evidence/contracts';
import { appendEvent, createRecord, openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('POST /api/answer-audit-logs/{answer_log_id}/events', () => {
  it.each<[EventType, EventType]>([
    ['voided', 'correction_appended'],
    ['voided', 'voided'],
    ['redacted', 'correction_appended'],
    ['redacted', 'voided'],
  ])('answers 409 on a %s record to %s, and nothing changes', async (before, event) => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    await appendEvent(stage, id, { event_type: before });
    const leaves = (await stage.rows('ledger_leaves')).length;
    const payload = event === 'correction_appended' ? { corrected_answer_text: 'No.' } : {};
    expect(
      await stage.call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body: { event_type: event, payload } }),
    ).toMatchObject({ status: 409, code: 'transition_not_allowed' });
    expect(await stage.rows('ledger_leaves')).toHaveLength(leaves);
    expect((await stage.rows('record_states')).find((row) => row.record_id === id)?.status).toBe(before);
  });

  it.each([
    { event_type: 'voided' },
    { event_type: 'correction_appended', reason: 'another' },
    { event_type: 'correction_appended', payload: { corrected_answer_text: 'Maybe.' } },
  ])('answers 409 when a key comes again with %j', async (body) => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    const call = (sent: object) =>
      stage.call('POST', `${RECORDS}/${id}/events`, {
        as: stage.manager,
        headers: { 'idempotency-key': 'k' },
        body: sent,
      });
    expect(await call({ event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } })).toMatchObject({
      status: 200,
    });
    expect(await call(body)).toMatchObject({ status: 409, code: 'idempotency_payload_mismatch' });
    expect(await stage.rows('lifecycle_events')).toHaveLength(1);
  });

  it('answers 409 when the record has other events than the caller has seen, and nothing changes', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    const send = (version: number, reason: string) =>
      stage.call('POST', `${RECORDS}/${id}/events`, {
        as: stage.manager,
        headers: { 'idempotency-key': reason },
        body: { event_type: 'correction_appended', reason, payload: { corrected_answer_text: 'No.' }, version },
      });
    expect(await send(1, 'too many')).toMatchObject({ status: 409, code: 'version_conflict' });
    expect(await send(0, 'first')).toMatchObject({ status: 200 });
    expect(await send(0, 'second')).toMatchObject({ status: 409, code: 'version_conflict' });
    // The same request again is a replay, whatever its sender has seen by then.
    for (const version of [0, 1]) expect(await send(version, 'first')).toMatchObject({ status: 200 });
    expect(await send(1, 'second')).toMatchObject({ status: 200 });
    expect(await stage.rows('lifecycle_events')).toHaveLength(2);
  });
});
