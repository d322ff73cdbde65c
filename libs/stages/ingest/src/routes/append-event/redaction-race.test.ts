import { describe, expect, it } from '@jest/globals';
import { createRouteCaller } from '@answer-evidence/testing';
import {
  appendEvent,
  createRecord,
  type IngestTest,
  interrupted,
  openIngest,
  readRecord,
  RECORDS,
} from '../../fixtures/ingest.ts';
import { createIngestStage } from '../../index.ts';

async function redactWhileCorrected(stage: IngestTest): Promise<string> {
  const { id } = await createRecord(stage);
  const elsewhere = createRouteCaller(createIngestStage({ ...stage, ledger: stage.otherLedger }).routes);
  const ledger = interrupted(stage.ledger, () =>
    appendEvent({ ...stage, call: elsewhere }, id, {
      event_type: 'correction_appended',
      reason: 'a reason that the redaction did not see',
      payload: { corrected_answer_text: 'a text that the redaction did not see', ticket: 'T-1' },
    }),
  );
  const call = createRouteCaller(createIngestStage({ ...stage, ledger }).routes);
  expect(
    await call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body: { event_type: 'redacted' } }),
  ).toMatchObject({ status: 200, body: { status: 'redacted' } });
  return id;
}

async function assertNothingLeft(stage: IngestTest, id: string): Promise<void> {
  const record = await readRecord(stage, id);
  const [correction, redaction] = record.events ?? [];
  expect(record.events).toMatchObject([
    {
      event_type: 'correction_appended',
      reason: null,
      reason_tombstone: { event_id: redaction?.id },
      payload_tombstone: { event_id: redaction?.id },
      corrected_answer: { text: null, text_state: 'redacted' },
    },
    { event_type: 'redacted', sequence: 2, payload: { redact_event_ids: [correction?.id] } },
  ]);
  const stored = await stage.records.find(stage.workspace.id, id);
  expect([stored?.sealed, ...(stored?.events ?? []).map(({ sealed }) => sealed)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
}

/** Redactions that come together, each with a reason: whichever is appended last keeps its own. */
async function redactTogether(stage: IngestTest): Promise<string> {
  const { id } = await createRecord(stage);
  await appendEvent(stage, id, { event_type: 'voided', reason: 'a reason' });
  await Promise.all([1, 2, 3].map((n) => appendEvent(stage, id, { event_type: 'redacted', reason: `redaction ${n}` })));
  return id;
}

async function assertErasedOnce(stage: IngestTest, id: string): Promise<void> {
  const { events = [] } = await readRecord(stage, id);
  const ids = events.map((event) => event.id);
  expect(events.map(({ payload }) => payload['redact_event_ids'])).toEqual([undefined, [ids[0]], [ids[1]], [ids[2]]]);
  expect(events.map((event) => event.reason_tombstone?.event_id)).toEqual([ids[1], ids[2], ids[3], undefined]);
  expect(events.map(({ reason }) => reason)).toEqual([null, null, null, expect.stringMatching(/^redaction [123]$/)]);
}

describe('a redaction that was prepared before a correction came', () => {
  it('takes the text of the correction along, each reason but the last, and the ledger check finds nothing amiss', async () => {
    const stage = await openIngest();
    await assertNothingLeft(stage, await redactWhileCorrected(stage));
    await assertErasedOnce(stage, await redactTogether(stage));
    expect(await stage.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
  });
});
