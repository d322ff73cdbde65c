import { describe, expect, it } from '@jest/globals';
import { parseNote } from '@answer-evidence/note';
import { StoredDamageError } from '@answer-evidence/ports';
import { createFakeAnchor } from '@answer-evidence/testing';
import { createRecord, openTrust, putPolicy, runConsumer } from '../fixtures/trust.ts';
import { describeClaim } from '../heads/kept-claims.ts';
import type { AnchorHearing } from '../index.ts';
import { hearAllAnchors } from './hear-anchors.ts';

const DISK = { id: 'disk', type: 'file' as const };
const BUCKET = {
  id: 'bucket',
  type: 'object-lock' as const,
  url: 'https://s3.example',
  bucket: 'evidence',
  region: 'eu-1',
  prefix: '',
  retention_days: 1,
  access_key_id: 'key',
  secret_access_key: 'secret',
  required: false,
};
const OTHER_ROOT = new Uint8Array(32).fill(7);

/** A log of four entries with its anchors, and what was heard of them. */
async function createAnchored() {
  const [file, bucket] = [createFakeAnchor(), createFakeAnchor()];
  const heard: AnchorHearing[] = [];
  const unusable: AnchorHearing[] = [];
  const stage = await openTrust({
    anchors: { file, rfc3161: createFakeAnchor(), 'object-lock': bucket },
    onAnchorHeard: (hearing) => heard.push(hearing),
    onAnchorUnusable: (hearing) => unusable.push(hearing),
  });
  for (let n = 0; n < 2; n++) await createRecord(stage);
  await putPolicy(stage, { anchors: [DISK, BUCKET], anchor_interval_seconds: 60 });
  const { id } = stage.workspace;
  const signer = await stage.logs.signer(id);
  const sizeOf = async () => (await stage.logs.snapshot(id)).head.tree_size;
  return {
    ...stage,
    file,
    bucket,
    heard,
    unusable,
    signer,
    sizeOf,
    hear: () => hearAllAnchors(stage.deps, new AbortController().signal),
    publish: async (size: number, root = OTHER_ROOT) => {
      bucket.notes = [{ note: await signer.sign({ size, root }), place: 'somewhere' }, ...bucket.notes];
    },
    claims: async () => ((await stage.headStore.find(id))?.claims ?? []).map(describeClaim),
    isStopped: () => stage.heads.isStopped(id),
  };
}

type Anchored = Awaited<ReturnType<typeof createAnchored>>;

/** Publishes and anchors at once, as a manager may ask for. */
function anchorAll(stage: Anchored): Promise<void> {
  return runConsumer(stage, 'trust.run');
}

describe('a published anchor', () => {
  it('stops a log that was rolled back behind it, also where the policy of then names no anchor', async () => {
    for (const anchors of [[BUCKET], [DISK], []]) {
      const stage = await createAnchored();
      await stage.heads.keep(stage.workspace);
      await putPolicy(stage, { anchors });
      const older = await stage.logs.snapshot(stage.workspace.id);
      await createRecord(stage);
      const size = await stage.sizeOf();
      const { root } = await stage.logs.snapshot(stage.workspace.id);
      const place = anchors[0] === BUCKET ? stage.bucket : stage.file;
      place.notes = [{ note: await stage.signer.sign({ size, root }), place: 'where it lies' }];
      await stage.hear();
      expect(stage.isStopped()).toBe(false);
      stage.setBack(older);
      await stage.hear();
      expect(stage.isStopped()).toBe(true);
      const id = anchors[0]?.id ?? 'file';
      expect(await stage.claims()).toEqual([
        `the anchor "${id}" has seen ${size} entries, but the database held ${size - 1}`,
      ]);
    }
  });

  it.each([
    ['at the size of the log', 0],
    ['at a smaller size', -2],
  ])('of another tree %s stops it too', async (_, less) => {
    const stage = await createAnchored();
    const size = (await stage.sizeOf()) + less;
    await stage.publish(size);
    await stage.hear();
    expect(await stage.claims()).toEqual([expect.stringContaining(`has seen another tree of ${size} entries`)]);
    expect(stage.isStopped()).toBe(true);
  });

  it('is found behind newer ones that the log extends', async () => {
    const stage = await createAnchored();
    await anchorAll(stage);
    stage.bucket.notes = [
      ...stage.bucket.notes,
      { note: await stage.signer.sign({ size: 2, root: OTHER_ROOT }), place: 'x' },
    ];
    await stage.hear();
    expect(stage.isStopped()).toBe(true);
  });

  it('that cannot be made where the policy wants it is told of at the start, with what to change', async () => {
    const stage = await createAnchored();
    stage.bucket.fault = 'no-object-lock';
    await stage.hear();
    expect(stage.unusable).toEqual([
      {
        workspace: expect.anything(),
        anchorId: 'bucket',
        problem: expect.stringMatching(/^bucket must be a bucket with object lock/),
      },
    ]);
    // In a round the attempt itself fails, and says so.
    await anchorAll(stage);
    expect(stage.unusable).toHaveLength(1);
  });

  it('is heard when a round begins, and nothing is anchored beside it', async () => {
    const stage = await createAnchored();
    await anchorAll(stage);
    const asked = stage.bucket.asked.length;
    await stage.publish(1_000);
    await runConsumer(stage, 'trust.anchor');
    expect(stage.isStopped()).toBe(false);
    await createRecord(stage);
    await putPolicy(stage, { anchors: [BUCKET] });
    await anchorAll(stage);
    expect([stage.isStopped(), stage.bucket.asked.length]).toEqual([true, asked]);
  });

  it('does not stop a log that extends every one', async () => {
    const stage = await createAnchored();
    for (let n = 0; n < 3; n++) {
      await createRecord(stage);
      await anchorAll(stage);
      await stage.hear();
    }
    expect(stage.bucket.notes).toHaveLength(3);
    expect(stage.isStopped()).toBe(false);
    expect(stage.heard.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });

  it('counts only when a key of this log has signed it for its size: nobody else can stop a log', async () => {
    const stage = await createAnchored();
    const { text } = parseNote(await stage.signer.sign({ size: 99, root: OTHER_ROOT }));
    const stranger = await openTrust();
    const foreign = await stranger.logs.signer(stranger.workspace.id);
    const signed = await stage.signer.sign({ size: 99, root: OTHER_ROOT });
    const forged = [
      '',
      'not a note',
      text,
      signed.replace('\n99\n', '\n98\n'),
      (await foreign.sign({ size: 99, root: OTHER_ROOT })).replaceAll(
        stranger.workspace.origin,
        stage.workspace.origin,
      ),
      `${signed.slice(0, -12)}AAAAAAAAAA=\n`,
    ];
    for (const note of forged) {
      stage.heard.splice(0);
      stage.bucket.notes = [{ note, place: 'there' }];
      await stage.hear();
      expect({ note, isStopped: stage.isStopped() }).toEqual({ note, isStopped: false });
      const told = stage.heard.find(({ anchorId }) => anchorId === 'bucket');
      expect(told?.problem).toBe('1 of its 1 newest notes are not signed by the keys that the log had then');
    }
    expect(await stage.claims()).toEqual([]);
  });

  it('of a key that was retired before its size stops nothing', async () => {
    const stage = await createAnchored();
    const { signer: first } = stage;
    const [old] = first.keys;
    const as = stage.manager;
    expect((await stage.call('POST', '/api/trust/keys', { as, body: {} })).status).toBe(201);
    const retired = await stage.call('POST', '/api/trust/keys/retire', { as, body: { vkey: old?.vkey } });
    expect(retired.status).toBe(200);
    await stage.publish(1_000);
    await stage.hear();
    expect(stage.isStopped()).toBe(false);
    const now = await stage.logs.signer(stage.workspace.id);
    stage.bucket.notes = [{ note: await now.sign({ size: 1_000, root: OTHER_ROOT }), place: 'there' }];
    await stage.hear();
    expect(stage.isStopped()).toBe(true);
  });

  it('that cannot be read stops nothing, and is told of until it can', async () => {
    const stage = await createAnchored();
    stage.bucket.unreadable = 'the connection failed';
    await stage.hear();
    stage.bucket.unreadable = undefined;
    await stage.hear();
    const told = stage.heard.filter(({ anchorId }) => anchorId === 'bucket').map(({ problem }) => problem);
    expect([stage.isStopped(), told]).toEqual([false, ['the connection failed', undefined]]);
  });

  it('is heard on this machine also where the policy and the secrets were altered', async () => {
    const stage = await createAnchored();
    await anchorAll(stage);
    stage.file.notes = [{ note: await stage.signer.sign({ size: 1_000, root: OTHER_ROOT }), place: 'there' }];
    const { trust } = stage.deps;
    const fail = () => Promise.reject(new StoredDamageError('a policy was altered'));
    const hear = (altered: Partial<typeof trust>) =>
      hearAllAnchors({ ...stage.deps, trust: { ...trust, ...altered } }, new AbortController().signal);
    const secrets = await trust.anchorSecrets(stage.workspace.id);
    const damaged = secrets.map((row) => ({ ...row, secret: row.secret.map((byte) => byte ^ 1) }));
    stage.file.unreadable = 'not now';
    await hear({ anchorSecrets: () => Promise.resolve(damaged) });
    expect(stage.heard.at(-1)).toMatchObject({ anchorId: 'bucket', problem: expect.stringContaining('secret') });
    expect(stage.isStopped()).toBe(false);
    stage.file.unreadable = undefined;
    await hear({ policy: fail });
    expect(stage.isStopped()).toBe(true);
  });

  it('of one log keeps no other from being heard when it cannot be judged', async () => {
    const stage = await createAnchored();
    await stage.publish(1_000);
    const broken = { ...stage.workspace, id: '0199f3c2-0000-7000-8000-000000000009' };
    const list = () => Promise.resolve([broken, stage.workspace]);
    const deps = { ...stage.deps, directory: { ...stage.deps.directory, list } };
    await hearAllAnchors(deps, new AbortController().signal);
    expect(stage.isStopped()).toBe(true);
  });
});
