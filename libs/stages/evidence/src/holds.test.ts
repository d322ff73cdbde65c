import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerRecord, type CreatedEvidenceAsset } from '@answer-evidence/contracts';
import { DAY_MICROS } from '@answer-evidence/testing';
import type { EvidenceDeps } from './deps.ts';
import { createAsset, createRecord, type EvidenceTest, openEvidence, RECORDS, retrieve } from './fixtures/evidence.ts';
import { createEvidenceStage } from './index.ts';

const HOLDS = '/api/holds';

async function sweep(deps: EvidenceDeps): Promise<void> {
  for (const ticker of createEvidenceStage(deps).tickers) await ticker.run(new AbortController().signal);
}

describe('evidence that a held record refers to', () => {
  let stage: EvidenceTest;
  let count = 0;
  let asset: CreatedEvidenceAsset;
  beforeAll(async () => {
    stage = await openEvidence();
  });
  beforeEach(async () => {
    const text = `evidence ${++count}`;
    asset = await createAsset(stage, { content_base64: Buffer.from(text).toString('base64') });
  });

  /** An answer that used the asset, and what a redaction names it by. */
  async function answered(environment: string) {
    const { access_event_id: accessId, source_ref: ref } = await retrieve(stage, asset.id);
    const { id } = await createRecord(stage, {
      environment,
      evidence_access_event_ids: [accessId],
      source_refs: [ref],
    });
    const { source_ref_id: sourceRefId } = ref;
    if (typeof sourceRefId !== 'string') throw new Error('a retrieval issues a source ref');
    return { id, sourceRefId };
  }

  async function hold(covered: object): Promise<string> {
    const body = { matter: 'Case 8', reason: 'A claim', ...covered };
    const reply = await stage.call('POST', HOLDS, { as: stage.manager, body });
    expect(reply).toMatchObject({ status: 201 });
    return (reply.body as { id: string }).id;
  }

  async function release(id: string): Promise<void> {
    const body = { reason: 'over' };
    expect(await stage.call('POST', `${HOLDS}/${id}/release`, { as: stage.manager, body })).toMatchObject({
      status: 200,
    });
  }

  const isThere = async () => (await stage.evidence.find(stage.workspace.id, asset.id))?.content !== undefined;

  function redact(id: string, sourceRefId: string) {
    const body = { event_type: 'redacted', payload: { redact_source_ref_ids: [sourceRefId] } };
    return stage.call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body });
  }

  it('survives a sweep 400 days later, and goes once the hold is released', async () => {
    await answered(`swept-${count}`);
    const held = await hold({ filters: { environment: `swept-${count}` } });
    stage.clock.advance(400 * DAY_MICROS);
    await sweep(stage);
    await sweep(stage);
    expect(await isThere()).toBe(true);
    await release(held);
    await sweep(stage);
    expect(await isThere()).toBe(false);
  });

  it('is held by any record that refers to it, however many others do not', async () => {
    for (let n = 0; n < 3; n++) await answered(`free-${count}`);
    const { id } = await answered(`free-${count}`);
    const held = await hold({ answer_log_ids: [id] });
    stage.clock.advance(400 * DAY_MICROS);
    await sweep(stage);
    expect(await isThere()).toBe(true);
    await release(held);
    await sweep(stage);
    expect(await isThere()).toBe(false);
  });

  it('survives the redaction of another record that names it, which is refused with the matter', async () => {
    const free = await answered(`free-${count}`);
    const other = await answered(`held-${count}`);
    const held = await hold({ filters: { environment: `held-${count}` } });
    expect(await redact(free.id, free.sourceRefId)).toMatchObject({
      status: 409,
      code: 'record_on_hold',
      detail: expect.stringContaining('Evidence that the redaction takes is on hold for “Case 8”'),
      errors: [{ pointer: '/payload/redact_source_ref_ids/0' }],
    });
    expect(await isThere()).toBe(true);
    // Without the evidence, nothing that is held goes.
    const body = { event_type: 'redacted', payload: {} };
    const reply = await stage.call('POST', `${RECORDS}/${free.id}/events`, { as: stage.manager, body });
    expect(answerRecord.parse(reply.body).status).toBe('redacted');
    await release(held);
    expect(await redact(other.id, other.sourceRefId)).toMatchObject({ status: 200 });
    expect(await isThere()).toBe(false);
  });

  it('is held by an answer that a hold comes to cover while it expires', async () => {
    await answered(`race-${count}`);
    stage.clock.advance(400 * DAY_MICROS);
    let isPlaced = false;
    const ledger: EvidenceDeps['ledger'] = {
      append: (workspaceId, prepare) =>
        stage.ledger.append(workspaceId, async (settings) => {
          const command = await prepare(settings);
          if (!isPlaced) await hold({ filters: { environment: `race-${count}` } });
          isPlaced = true;
          return command;
        }),
    };
    await sweep({ ...stage, ledger });
    expect(isPlaced).toBe(true);
    expect(await isThere()).toBe(true);
  });
});
