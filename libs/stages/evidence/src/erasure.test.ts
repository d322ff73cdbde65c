import { beforeAll, describe, expect, it } from '@jest/globals';
import { type EvidenceAsset, evidenceAsset } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { formatObjectName } from '@answer-evidence/ports';
import { DAY_MICROS } from '@answer-evidence/testing';
import type { EvidenceDeps } from './deps.ts';
import {
  ASSETS,
  createAsset,
  createRecord,
  type EvidenceTest,
  onWorkspace,
  openEvidence,
  RECORDS,
  redactAsset,
  retrieve,
} from './fixtures/evidence.ts';
import { createEvidenceStage } from './index.ts';

const running = new AbortController().signal;
const DEFAULT_DAYS = 365;

describe('erased evidence', () => {
  let stage: EvidenceTest;
  let contents = 0;
  beforeAll(async () => {
    stage = await openEvidence();
  });

  const upload = (text = `content ${++contents}`): Promise<EvidenceAsset> =>
    createAsset(stage, { content_base64: Buffer.from(text).toString('base64'), content_type: 'text/plain' });

  async function read(id: string): Promise<EvidenceAsset> {
    return evidenceAsset.parse((await stage.call('GET', `${ASSETS}/${id}`, { as: stage.manager })).body);
  }

  /** Of its accesses, the newest first. */
  async function purposesOf(assetId: string): Promise<readonly unknown[]> {
    const { body } = await stage.call('GET', `${ASSETS}/${assetId}/accesses`, { as: stage.manager });
    return (body as { items: { purpose: unknown }[] }).items.map(({ purpose }) => purpose);
  }

  const redact = (assetId: string): Promise<string> => redactAsset(stage, assetId);

  async function contentOf(assetId: string): Promise<string> {
    return (await stage.evidence.find(stage.workspace.id, assetId))?.content?.id ?? '';
  }

  const isStored = async (contentId: string): Promise<boolean> =>
    (await stage.objects.find(formatObjectName(stage.workspace.id, contentId))) !== undefined;

  function consume(topic: string, subject: string | null, deps: EvidenceDeps = stage): Promise<void> {
    const consumer = createEvidenceStage(deps).consumers.find((one) => one.topic === topic);
    if (consumer === undefined) throw new Error('the stage has no such consumer');
    const workspaceId = subject === null ? null : stage.workspace.id;
    return consumer.run({ id: 'job', topic: consumer.topic, workspace_id: workspaceId, subject }, running);
  }

  async function sweepExpiries(deps: EvidenceDeps = stage): Promise<void> {
    for (const ticker of createEvidenceStage(deps).tickers) await ticker.run(running);
  }

  it('is unreadable at once, and its bytes are deleted by the job, however often it runs', async () => {
    const { id } = await upload();
    const contentId = await contentOf(id);
    await redact(id);
    expect(await read(id)).toMatchObject({ state: 'redacted', original: 'erased', original_deleted_at: null });
    expect(await stage.call('POST', `${ASSETS}/${id}/download`, { as: stage.manager, body: {} })).toMatchObject({
      status: 410,
    });
    expect(await retrieve(stage, id)).toMatchObject({ segments: [{ tombstone: { reason_code: null } }] });
    expect(await isStored(contentId)).toBe(true);
    await consume('evidence.purge', contentId);
    await consume('evidence.purge', contentId);
    expect(await isStored(contentId)).toBe(false);
    expect((await read(id)).original_deleted_at).not.toBeNull();
  });

  it('waits for an object store that is unavailable', async () => {
    const { id } = await upload();
    const contentId = await contentOf(id);
    await redact(id);
    const objects = new Proxy(stage.objects, {
      get: (store, name) =>
        name === 'delete' ? () => Promise.reject(new Error('away')) : (Reflect.get(store, name) as unknown),
    });
    await expect(consume('evidence.purge', contentId, { ...stage, objects })).rejects.toThrow('away');
    expect((await read(id)).original_deleted_at).toBeNull();
  });

  it('keeps bytes that are another asset’s too, whatever a job says', async () => {
    const [first, second] = [await upload('shared'), await upload('shared')];
    const contentId = await contentOf(first.id);
    await redact(first.id);
    await consume('evidence.purge', contentId);
    expect(await isStored(contentId)).toBe(true);
    expect(await read(second.id)).toMatchObject({ state: 'available', original: 'stored' });
    await redact(second.id);
    await consume('evidence.purge', contentId);
    expect(await isStored(contentId)).toBe(false);
    for (const { id } of [first, second]) expect((await read(id)).original_deleted_at).not.toBeNull();
  });

  it('does not come back with an upload of the same bytes', async () => {
    const before = await upload('again');
    const contentId = await contentOf(before.id);
    await redact(before.id);
    const after = await upload('again');
    await consume('evidence.purge', contentId);
    expect(await read(after.id)).toMatchObject({ state: 'available', original: 'stored' });
    expect(await isStored(await contentOf(after.id))).toBe(true);
    expect(await read(before.id)).toMatchObject({ state: 'redacted', original: 'erased' });
    expect(await retrieve(stage, before.id)).toMatchObject({ segments: [{ tombstone: {} }] });
  });

  it('is what the sweep deletes too, with objects that no row knows, once they are a day old', async () => {
    const { id } = await upload();
    const kept = await upload();
    const contentId = await contentOf(id);
    await redact(id);
    const orphan = formatObjectName(stage.workspace.id, stage.workspace.id);
    await stage.objects.put(orphan, bytes());
    const tomorrow = { ...stage, clock: { ...stage.clock, nowMicros: () => laterThanStored() } };
    await consume('evidence.sweep', null, { ...stage, clock: { ...stage.clock, nowMicros: () => 0 } });
    expect([await isStored(contentId), await stage.objects.find(orphan)]).toEqual([true, expect.anything()]);
    await consume('evidence.sweep', null, tomorrow);
    expect([await isStored(contentId), await stage.objects.find(orphan)]).toEqual([false, undefined]);
    expect(await isStored(await contentOf(kept.id))).toBe(true);
    expect((await read(id)).original_deleted_at).not.toBeNull();
  });

  it('expires when its retention has passed, and then says so', async () => {
    const { id } = await upload();
    const contentId = await contentOf(id);
    await retrieve(stage, id, { purpose: 'to look' });
    stage.clock.advance((DEFAULT_DAYS + 1) * DAY_MICROS);
    await Promise.all([sweepExpiries(), sweepExpiries({ ...stage, ledger: stage.otherLedger })]);
    await sweepExpiries();
    expect(await read(id)).toMatchObject({ state: 'expired', original: 'erased', name: null, content_hash: null });
    expect((await stage.evidence.find(stage.workspace.id, id))?.expiries).toHaveLength(1);
    expect(await retrieve(stage, id)).toMatchObject({
      segments: [{ tombstone: { reason_code: 'retention_expired' } }],
    });
    await consume('evidence.purge', contentId);
    expect(await isStored(contentId)).toBe(false);
    expect(await purposesOf(id)).toEqual([null, null]);
  });

  it('leaves of its accesses the purposes that it did not find it by, and says so of a purpose that is gone', async () => {
    const { id } = await upload();
    await retrieve(stage, id, { purpose: 'to look' });
    await redact(id);
    expect(await purposesOf(id)).toEqual([null, 'to look']);
    const evidence = new Proxy(stage.evidence, {
      get: (store, name) =>
        name === 'accesses'
          ? async (...asked: Parameters<typeof store.accesses>) => {
              const { items, ...page } = await store.accesses(...asked);
              return { ...page, items: items.map((item) => ({ ...item, details: undefined })) };
            }
          : (Reflect.get(store, name) as unknown),
    });
    const damaged = onWorkspace({ ...stage, evidence });
    const reply = await damaged.call('GET', `${ASSETS}/${id}/accesses`, { as: stage.manager });
    expect([reply.status, reply.code]).toEqual([500, 'content_damaged']);
  });

  it('expires once, also when another process is faster at any moment', async () => {
    const { id } = await upload();
    stage.clock.advance((DEFAULT_DAYS + 1) * DAY_MICROS);
    // The sweep asks what holds the asset, and asks again when it prepares the entry: the other one is through between
    // that answer and the rest.
    let asked = 0;
    const evidenceErasures = new Proxy(stage.evidenceErasures, {
      get: (store, name) =>
        name === 'findHolding'
          ? async (workspaceId: string, assetId: string) => {
              const holding = await store.findHolding(workspaceId, assetId);
              if (assetId === id && ++asked === 2) await sweepExpiries({ ...stage, ledger: stage.otherLedger });
              return holding;
            }
          : (Reflect.get(store, name) as unknown),
    });
    await sweepExpiries({ ...stage, evidenceErasures });
    expect(asked).toBeGreaterThanOrEqual(2);
    expect((await stage.evidence.find(stage.workspace.id, id))?.expiries).toHaveLength(1);
  });

  it('is kept for as long as a record that binds or links it, and as the retention of that is extended', async () => {
    const bound = await upload();
    const { access_event_id } = await retrieve(stage, bound.id);
    stage.clock.advance((DEFAULT_DAYS - 1) * DAY_MICROS);
    const { id } = await createRecord(stage, { evidence_access_event_ids: [access_event_id] });
    stage.clock.advance(2 * DAY_MICROS);
    await sweepExpiries();
    expect(await read(bound.id)).toMatchObject({ state: 'available' });
    const retain_until = formatTimestamp(stage.clock.nowMicros() + 2 * DEFAULT_DAYS * DAY_MICROS);
    const body = { event_type: 'retention_extended', payload: { retain_until } };
    await stage.call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body });
    stage.clock.advance(DEFAULT_DAYS * DAY_MICROS);
    await sweepExpiries();
    expect(await read(bound.id)).toMatchObject({ state: 'available' });
    stage.clock.advance((DEFAULT_DAYS + 1) * DAY_MICROS);
    await sweepExpiries();
    expect(await read(bound.id)).toMatchObject({ state: 'expired' });
  });

  it('is not expired when an answer binds it between the decision and the lock', async () => {
    const { id } = await upload();
    const { access_event_id } = await retrieve(stage, id);
    stage.clock.advance((DEFAULT_DAYS + 1) * DAY_MICROS);
    let isFirst = true;
    const ledger: EvidenceDeps['ledger'] = {
      append: (workspaceId, prepare) =>
        stage.ledger.append(workspaceId, async (settings) => {
          const command = await prepare(settings);
          if (isFirst) {
            isFirst = false;
            await createRecord(stage, { evidence_access_event_ids: [access_event_id] });
          }
          return command;
        }),
    };
    await sweepExpiries({ ...stage, ledger });
    expect(isFirst).toBe(false);
    expect(await read(id)).toMatchObject({ state: 'available' });
  });

  it('leaves a ledger that is sound', async () => {
    expect(await stage.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
  });
});

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array(3));
}

/** Beyond a day from now by any clock that an object store may have. */
function laterThanStored(): number {
  return 8e15;
}
