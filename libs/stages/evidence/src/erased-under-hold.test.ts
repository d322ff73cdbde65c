import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type HoldStore, newId } from '@answer-evidence/ports';
import { createIngestStage, reapplyRedaction } from '@answer-evidence/stage-ingest';
import { createRouteCaller, DAY_MICROS, type PostgresWorkspace } from '@answer-evidence/testing';
import { createAsset, createRecord, type EvidenceTest, openEvidence, RECORDS, retrieve } from './fixtures/evidence.ts';
import { createEvidenceStage } from './index.ts';

let stage: EvidenceTest;
let held: { readonly id: string; readonly sourceRefId: string };
let free: typeof held;
let holdId: string;
beforeAll(async () => {
  stage = await openEvidence();
});

/** Two answers that used one asset, of which a hold covers one. */
beforeEach(async () => {
  const { id: assetId } = await createAsset(stage, { segments: [newId(stage)] });
  const answered = async (environment: string) => {
    const { access_event_id: accessId, source_ref: ref } = await retrieve(stage, assetId);
    const used = { evidence_access_event_ids: [accessId], source_refs: [ref] };
    const { id } = await createRecord(stage, { environment, ...used });
    const { source_ref_id: sourceRefId } = ref;
    if (typeof sourceRefId !== 'string') throw new Error('a retrieval issues a source ref');
    return { id, sourceRefId };
  };
  [held, free] = [await answered('held'), await answered('free')];
  holdId = await place({ answer_log_ids: [held.id] });
});

async function place(covered: object): Promise<string> {
  const body = { matter: 'Case 9', reason: 'A claim', ...covered };
  const reply = await stage.call('POST', '/api/holds', { as: stage.manager, body });
  expect(reply).toMatchObject({ status: 201 });
  return (reply.body as { id: string }).id;
}

/** A process that does not see holds, and whose appends look to the log as those of one that does. */
function blind(): PostgresWorkspace {
  const holds: HoldStore = {
    ...stage.holds,
    inForce: async (workspaceId) => ({ ...(await stage.holds.inForce(workspaceId)), holds: [] }),
  };
  return { ...stage, holds };
}

/** What the ledger check finds about holds, by the kinds of what erased. */
async function findKinds(): Promise<readonly string[]> {
  const { findings } = await stage.checkLedger();
  expect(findings.filter(({ check }) => check !== 'hold')).toEqual([]);
  const own = findings.filter(({ detail }) => detail === `it erased what hold ${holdId} covered`);
  for (const { leaf_index: leaf } of own) expect(leaf).toEqual(expect.any(Number));
  return own.map(({ object }) => object.replace(/ [0-9a-f-]{36}$/, '')).sort();
}

function redact(on: PostgresWorkspace, { id, sourceRefId }: typeof held) {
  const call = createRouteCaller(createIngestStage(on).routes);
  const body = { event_type: 'redacted', payload: { redact_source_ref_ids: [sourceRefId] } };
  return call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body });
}

it('the ledger check names a redaction of a held record, and the evidence that went with it', async () => {
  expect(await findKinds()).toEqual([]);
  expect(await redact(blind(), held)).toMatchObject({ status: 200 });
  expect(await findKinds()).toEqual(['event', 'redaction of evidence']);
});

it('the ledger check names the redaction of another record for the evidence that a held one refers to', async () => {
  expect(await redact(blind(), free)).toMatchObject({ status: 200 });
  expect(await findKinds()).toEqual(['redaction of evidence']);
});

it('the ledger check names what expired under a hold', async () => {
  stage.clock.advance(400 * DAY_MICROS);
  const { tickers } = createIngestStage(blind());
  for (const ticker of [...tickers, ...createEvidenceStage(blind()).tickers])
    await ticker.run(new AbortController().signal);
  expect(await findKinds()).toEqual(['expiry', 'expiry of evidence']);
});

it('the ledger check has no finding for what was erased before a hold, after it, or made again after a restore', async () => {
  expect(await redact(stage, free)).toMatchObject({ status: 409 });
  const body = { reason: 'over' };
  await stage.call('POST', `/api/holds/${holdId}/release`, { as: stage.manager, body });
  expect(await redact(stage, free)).toMatchObject({ status: 200 });
  holdId = await place({ filters: {} });
  const lost = { recordId: held.id, eventId: newId(stage), payload: { redact_source_ref_ids: [held.sourceRefId] } };
  expect(await reapplyRedaction(stage, stage.workspace, lost)).toBe('applied');
  expect(await findKinds()).toEqual([]);
});
