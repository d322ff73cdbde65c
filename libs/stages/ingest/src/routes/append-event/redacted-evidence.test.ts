import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AnswerRecord, answerRecord } from '@answer-evidence/contracts';
import { newId } from '@answer-evidence/ports';
import {
  accessTestAsset,
  createRouteCaller,
  openPostgresWorkspace,
  registerTestAsset,
  type TestAsset,
} from '@answer-evidence/testing';
import { appendEvent, createRecord, type IngestTest, openIngest, readRecord, RECORDS } from '../../fixtures/ingest.ts';
import { createIngestStage, reapplyRedaction } from '../../index.ts';

const FAQ = ['Two years.', 'Free returns.', 'Call us.'];

/** A record that binds a retrieval of these segments, and has the source ref that it issued. */
async function answered(stage: IngestTest, asset: TestAsset, segments: readonly number[] | null) {
  const { accessId, sourceRefId } = await accessTestAsset(stage, asset.id, segments);
  const source_refs = [{ source_ref_id: sourceRefId, asset_id: asset.id }];
  const { id } = await createRecord(stage, { evidence_access_event_ids: [accessId], source_refs });
  return { recordId: id, sourceRefId };
}

function redact(stage: IngestTest, recordId: string, ids: readonly string[], more: object = {}): Promise<AnswerRecord> {
  const payload = { reason_code: 'privacy', redact_source_ref_ids: ids };
  return appendEvent(stage, recordId, { event_type: 'redacted', payload, ...more });
}

/** The indexes of the segments whose contents are still there. */
async function readable({ evidence, workspace }: IngestTest, asset: TestAsset): Promise<readonly number[]> {
  const segments = await evidence.segments(workspace.id, asset.id, null);
  return segments.flatMap(({ segment, contents }) => (contents === undefined ? [] : [segment.segment_index]));
}

function find({ evidence, workspace }: IngestTest, asset: TestAsset) {
  return evidence.find(workspace.id, asset.id);
}

describe('a redaction that names what an access issued', () => {
  let stage: IngestTest;
  beforeAll(async () => {
    stage = await openIngest();
  });

  it('takes the segments that were accessed and the original, and keeps the other segments', async () => {
    const faq = await registerTestAsset(stage, [...FAQ, 'segments']);
    const { recordId, sourceRefId } = await answered(stage, faq, [0, 2]);
    const { events, source_refs } = await redact(stage, recordId, [sourceRefId]);
    expect(events?.at(-1)?.redacted_evidence).toMatchObject([
      { asset_id: faq.id, segment_ids: [faq.segmentIds[0], faq.segmentIds[2]], original: 'deleting', also_held_by: [] },
    ]);
    expect(source_refs).toMatchObject([{ source_ref_id: sourceRefId, tombstone: { reason_code: 'privacy' } }]);
    expect(await readable(stage, faq)).toEqual([1, 3]);
    expect(await find(stage, faq)).toMatchObject({
      state: 'redacted',
      content: undefined,
      details: { asset_id: faq.id },
    });
    expect(await stage.evidence.existingContents(stage.workspace.id, [faq.contentId])).toEqual(new Set());
  });

  it('takes everything when everything was accessed, with its name and the purposes of the accesses', async () => {
    const faq = await registerTestAsset(stage, [...FAQ, 'everything']);
    const { recordId, sourceRefId } = await answered(stage, faq, null);
    const { events } = await redact(stage, recordId, [sourceRefId]);
    expect(events?.at(-1)?.redacted_evidence).toMatchObject([{ asset_id: faq.id, segment_ids: null }]);
    expect(await readable(stage, faq)).toEqual([]);
    expect(await find(stage, faq)).toMatchObject({ state: 'redacted', content: undefined, details: undefined });
    const [access] = await stage.evidence.boundAccesses(stage.workspace.id, recordId);
    expect(access).toMatchObject({ access: { asset_id: faq.id }, details: undefined });
  });

  it('keeps bytes that another asset has too, and names that asset, until it is redacted as well', async () => {
    const [first, second] = [await registerTestAsset(stage, ['shared']), await registerTestAsset(stage, ['shared'])];
    expect(second.contentId).toBe(first.contentId);
    const one = await answered(stage, first, null);
    const other = await answered(stage, second, null);
    const { events } = await redact(stage, one.recordId, [one.sourceRefId]);
    expect(events?.at(-1)?.redacted_evidence).toMatchObject([
      { asset_id: first.id, original: 'shared', also_held_by: [second.id] },
    ]);
    expect(await find(stage, second)).toMatchObject({ state: 'available', content: { id: first.contentId } });
    await redact(stage, other.recordId, [other.sourceRefId]);
    expect((await readRecord(stage, one.recordId)).events?.at(-1)?.redacted_evidence).toMatchObject([
      { asset_id: first.id, original: 'deleting', also_held_by: [] },
    ]);
  });

  it('lets the bytes of two assets go that one record binds both of', async () => {
    const [first, second] = [await registerTestAsset(stage, ['twice']), await registerTestAsset(stage, ['twice'])];
    const accesses = [await accessTestAsset(stage, first.id, null), await accessTestAsset(stage, second.id, null)];
    const { id } = await createRecord(stage, { evidence_access_event_ids: accesses.map(({ accessId }) => accessId) });
    const sourceRefIds = accesses.map(({ sourceRefId }) => sourceRefId);
    const { events } = await redact(stage, id, sourceRefIds);
    expect(events?.at(-1)?.redacted_evidence).toMatchObject([{ original: 'deleting' }, { original: 'deleting' }]);
    expect(await stage.evidence.existingContents(stage.workspace.id, [first.contentId])).toEqual(new Set());
  });

  it('makes equal bytes that come later a new content', async () => {
    const before = await registerTestAsset(stage, ['again']);
    const { recordId, sourceRefId } = await answered(stage, before, null);
    await redact(stage, recordId, [sourceRefId]);
    const after = await registerTestAsset(stage, ['again']);
    expect(after.contentId).not.toBe(before.contentId);
    expect(await find(stage, before)).toMatchObject({ state: 'redacted', content: undefined });
    expect(await readable(stage, before)).toEqual([]);
  });

  it('takes nothing that only a caller’s source ref names', async () => {
    const theirs = await registerTestAsset(stage, ['theirs'], { applicationKey: 'other-bot' });
    const { sourceRefId } = await accessTestAsset(stage, theirs.id, null, 'other-bot');
    const source_refs = [{ source_ref_id: sourceRefId, asset_id: theirs.id }];
    const { id } = await createRecord(stage, { source_refs });
    const { events } = await redact(stage, id, [sourceRefId]);
    expect(events?.at(-1)?.redacted_evidence).toEqual([]);
    expect(await find(stage, theirs)).toMatchObject({ state: 'available', content: { id: theirs.contentId } });
    expect(await readable(stage, theirs)).toEqual([0]);
  });

  it('takes nothing at all when it names one id too many', async () => {
    const faq = await registerTestAsset(stage, ['too many']);
    const { recordId, sourceRefId } = await answered(stage, faq, null);
    const payload = { redact_source_ref_ids: [sourceRefId, 'nobody'] };
    const body = { event_type: 'redacted', payload };
    expect(await stage.call('POST', `${RECORDS}/${recordId}/events`, { as: stage.manager, body })).toMatchObject({
      status: 422,
      code: 'source_ref_not_found',
    });
    expect(await readable(stage, faq)).toEqual([0]);
  });

  it('states nothing new of what is gone already, and is a replay under its key', async () => {
    const faq = await registerTestAsset(stage, ['already']);
    const [one, other] = [await answered(stage, faq, null), await answered(stage, faq, null)];
    await redact(stage, one.recordId, [one.sourceRefId]);
    await redact(stage, other.recordId, [other.sourceRefId]);
    const path = `${RECORDS}/${other.recordId}/events`;
    const body = { event_type: 'redacted', payload: { redact_source_ref_ids: [other.sourceRefId] } };
    const again = { as: stage.manager, body, headers: { 'idempotency-key': 'once' } };
    const replies = [await stage.call('POST', path, again), await stage.call('POST', path, again)];
    const [first, second] = replies.map((reply) => answerRecord.parse(reply.body));
    expect(second?.events).toEqual(first?.events);
    // The second redaction took the purpose of its own access, and the third found nothing.
    expect(first?.events?.map((event) => event.redacted_evidence.length)).toEqual([1, 0]);
    expect((await find(stage, faq))?.redactions).toHaveLength(2);
  });

  it('is made again when a restored database had forgotten it', async () => {
    const faq = await registerTestAsset(stage, [...FAQ, 'forgotten']);
    const { recordId, sourceRefId } = await answered(stage, faq, [1]);
    const lost = { recordId, eventId: newId(stage), payload: { redact_source_ref_ids: [sourceRefId] } };
    expect(await reapplyRedaction(stage, stage.workspace, lost)).toBe('applied');
    expect(await readable(stage, faq)).toEqual([0, 2, 3]);
    await reapplyRedaction(stage, stage.workspace, lost);
    expect((await find(stage, faq))?.redactions).toHaveLength(1);
  });

  it('of one asset by two records at once takes both parts', async () => {
    const faq = await registerTestAsset(stage, [...FAQ, 'at once']);
    const [one, other] = [await answered(stage, faq, [0]), await answered(stage, faq, [1])];
    await Promise.all([
      redact(stage, one.recordId, [one.sourceRefId]),
      redact(stage, other.recordId, [other.sourceRefId]),
    ]);
    expect(await readable(stage, faq)).toEqual([2, 3]);
    expect((await find(stage, faq))?.redactions).toHaveLength(2);
  });
});

describe('a ledger with redacted evidence', () => {
  it('is sound', async () => {
    const workspace = await openPostgresWorkspace();
    const stage = { ...workspace, call: createRouteCaller(createIngestStage(workspace).routes) };
    const faq = await registerTestAsset(stage, FAQ);
    const [one, other] = [await answered(stage, faq, [0]), await answered(stage, faq, null)];
    await redact(stage, one.recordId, [one.sourceRefId]);
    expect(await workspace.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
    await redact(stage, other.recordId, [other.sourceRefId]);
    expect(await workspace.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
  });
});
