import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRouteCaller, openPostgresWorkspace, type PostgresWorkspace } from '@answer-evidence/testing';
import {
  appendEvent,
  createFakeIngest,
  createRecord,
  type IngestTest,
  interrupted,
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
      payload: { corrected_answer_text: 'a text that the redaction did not see' },
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
  expect(record.events).toMatchObject([
    { event_type: 'correction_appended', corrected_answer: { text: null, text_state: 'redacted' } },
    { event_type: 'redacted', sequence: 2 },
  ]);
  const stored = await stage.records.find(stage.workspace.id, id);
  expect([stored?.sealed, ...(stored?.events ?? []).map(({ sealed }) => sealed)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
}

describe('a redaction that was prepared before a correction came', () => {
  it('takes the text of the correction along, in memory', async () => {
    const stage = createFakeIngest();
    await assertNothingLeft(stage, await redactWhileCorrected(stage));
  });
});

describe('a redaction that was prepared before a correction came, on PostgreSQL', () => {
  let workspace: PostgresWorkspace;
  beforeAll(async () => {
    workspace = await openPostgresWorkspace();
  });
  afterAll(() => workspace.close());

  it('takes the text of the correction along, and the ledger check finds nothing amiss', async () => {
    const stage = { ...workspace, call: createRouteCaller(createIngestStage(workspace).routes) };
    await assertNothingLeft(stage, await redactWhileCorrected(stage));
    expect(await workspace.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
  });
});
