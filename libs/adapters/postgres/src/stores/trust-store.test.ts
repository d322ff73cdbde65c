import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TrustStore } from '@answer-evidence/ports';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { fillTrust, prepareTrustPolicy } from '../../fixtures/trust.ts';
import { openPool } from '../pool.ts';
import { createTrustStore } from './trust-store.ts';

let log: TestLog;
let trust: TrustStore;
let id: string;

beforeAll(async () => {
  log = await openTestLog();
  trust = createTrustStore(log.pool, log.directory);
  id = log.workspace.id;
});

afterAll(async () => {
  await log.close();
});

const row = (treeSize: number) => ({
  tree_size: treeSize,
  root: new Uint8Array(32),
  policy_version: 0,
  published_at: 1,
});

describe('the trust store', () => {
  it('has a default policy of version 0, and then the newest one that the log holds', async () => {
    expect(await trust.policy(id)).toMatchObject({ version: 0, updatedAt: null });
    const ledger = log.openLedger();
    await ledger.append(id, prepareTrustPolicy(log, 0, { public_log: true }));
    await ledger.append(id, prepareTrustPolicy(log, 1, { checkpoint_interval_seconds: 60 }));
    const policy = await trust.policy(id);
    expect(policy).toMatchObject({ version: 2, values: { public_log: false, checkpoint_interval_seconds: 60 } });
    expect(policy.updatedAt).toBeGreaterThan(0);
    expect(await trust.findPolicy(id, 1)).toMatchObject({ version: 1, values: { public_log: true } });
    expect(await trust.findPolicy(id, 2)).toEqual(policy);
    expect(await trust.findPolicy(id, 3)).toBeUndefined();
  });

  it('publishes every size once and never a smaller one, also when many publish at once', async () => {
    const sizes = [10, 12, 12, 11, 13, 13, 9];
    const kept = await Promise.all(sizes.map((size) => trust.publish(id, row(size))));
    const published = (await trust.listPublished(id, { offset: 0, limit: 50 })).items.map((each) => each.tree_size);
    expect(published).toEqual([...published].sort((a, b) => b - a));
    expect(new Set(published).size).toBe(kept.filter(Boolean).length);
    expect(published[0]).toBe(13);
    expect(await trust.publish(id, row(13))).toBe(false);
    expect((await trust.newestPublished(id))?.tree_size).toBe(13);
    expect(await trust.findPublished(id, 14)).toBeUndefined();
    expect((await trust.firstPublishedAbove(id, -1))?.tree_size).toBe(published.at(-1));
    expect((await trust.firstPublishedAbove(id, 12))?.tree_size).toBe(13);
    expect(await trust.firstPublishedAbove(id, 13)).toBeUndefined();
  });

  it('keeps anchors with every attempt, and finds the sizes of which one is confirmed', async () => {
    const anchor = await fillTrust(log, trust, 20);
    await trust.publish(id, row(30));
    const next = { tree_size: 30, type: 'file', policy_version: 1, created_at: 3, anchor_id: 'file' } as const;
    await trust.addAnchors(id, [{ ...next, id: log.newId() }]);
    await trust.addAnchors(id, [{ ...next, id: log.newId() }]);
    const { items, total } = await trust.listAnchors(id, { offset: 0, limit: 50 });
    expect(total).toBe(2);
    expect(items.map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual([[], ['failed', 'confirmed']]);
    expect((await trust.anchorsOf(id, 20))[0]?.anchor.id).toBe(anchor);
    expect((await trust.newestAnchors(id)).map((each) => each.anchor.tree_size)).toEqual([30]);
    const confirmed = { treeSize: 20, anchors: [{ id: 'file', type: 'file' }], cosigners: ['07'.repeat(32)] };
    expect(await trust.confirmedTrees(id, { above: 5 }, 9)).toEqual([confirmed]);
    expect(await trust.confirmedTrees(id, { above: 20 }, 9)).toEqual([]);
    expect(await trust.confirmedTrees(id, { upTo: 20 }, 9)).toEqual([confirmed]);
    expect(await trust.confirmedTrees(id, { upTo: 19 }, 9)).toEqual([]);
  });

  it('lets the first cosignature of a key over a checkpoint stand', async () => {
    const cosignature = { tree_size: 30, public_key: new Uint8Array(32).fill(1), vkey: 'w', received_at: 1 };
    await trust.addCosignature(id, { ...cosignature, signature: new Uint8Array(72).fill(1) });
    await trust.addCosignature(id, { ...cosignature, signature: new Uint8Array(72).fill(2) });
    const rows = await trust.cosignatures(id, 30);
    expect(rows.map(({ signature }) => signature[0])).toEqual([1]);
  });

  it('finds the sizes that anybody cosigned', async () => {
    const cosigners = (await trust.cosignatures(id, 20)).map(({ public_key: key }) => Buffer.from(key).toString('hex'));
    const [small, large] = [
      { treeSize: 20, cosigners },
      { treeSize: 30, cosigners: ['01'.repeat(32)] },
    ];
    expect(cosigners).toHaveLength(1);
    expect(await trust.cosignedTrees(id, 30, 9)).toEqual([large, small]);
    expect(await trust.cosignedTrees(id, 99, 1)).toEqual([large]);
    expect(await trust.cosignedTrees(id, 29, 9)).toEqual([small]);
    expect(await trust.cosignedTrees(id, 19, 9)).toEqual([]);
  });

  it('gives the lead to one at a time', async () => {
    let inside = 0;
    let most = 0;
    const other = createTrustStore(log.pool, log.directory);
    const gate = Promise.withResolvers<undefined>();
    const first = trust.whileLeading(id, 'publish', async () => {
      most = Math.max(most, ++inside);
      await gate.promise;
      inside--;
    });
    while (inside === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await other.whileLeading(id, 'publish', () => Promise.reject(new Error('nobody leads twice')));
    gate.resolve(undefined);
    expect([await first, second, most]).toEqual([true, false, 1]);
    expect(await other.whileLeading(id, 'publish', () => Promise.resolve())).toBe(true);
  });

  it('takes no connection from those who write, however many logs are led', async () => {
    const url = log.logins.answer_evidence_app;
    const options = { url, role: 'answer_evidence_app', onError: () => undefined } as const;
    const [writing, leads] = [openPool({ ...options, connectionsMax: 1 }), openPool({ ...options, connectionsMax: 3 })];
    try {
      const apart = createTrustStore(writing, log.directory, leads);
      const gate = Promise.withResolvers<undefined>();
      const led = (['publish', 'witness', 'anchor'] as const).map((part) =>
        apart.whileLeading(id, part, () => gate.promise),
      );
      expect(await apart.policy(id)).toMatchObject({ version: expect.any(Number) });
      gate.resolve(undefined);
      expect(await Promise.all(led)).toEqual([true, true, true]);
    } finally {
      await writing.end();
      await leads.end();
    }
  });

  it('tells renewals from the anchors of rounds, and how long the tokens of these are good', async () => {
    const round = { tree_size: 40, type: 'rfc3161', policy_version: 1, created_at: 3 } as const;
    const [first, second, renewal, later] = [log.newId(), log.newId(), log.newId(), log.newId()];
    await trust.addAnchors(id, [
      { ...round, id: first, anchor_id: 'tsa' },
      { ...round, id: second, anchor_id: 'second' },
    ]);
    const covered = new Uint8Array(64);
    for (const [number, uuid] of [
      [10, later],
      [9, renewal],
    ] as const)
      await trust.addAnchors(id, [{ ...round, id: uuid, anchor_id: `tsa.renewal-${number}`, covered, kept: '{}' }]);
    const made = { attempt: 1, at: 4, outcome: 'confirmed', detail: '', anchored_at: 4, artefact: covered } as const;
    await trust.addAttempt(id, { ...made, anchor: first, ends_at: 100 });
    await trust.addAttempt(id, { ...made, anchor: second });
    await trust.addAttempt(id, { ...made, anchor: renewal, ends_at: 50 });
    expect((await trust.renewals(id)).map(({ anchor }) => anchor.id)).toEqual([renewal, later]);
    expect((await trust.newestAnchors(id)).map(({ anchor }) => anchor.id)).toEqual([second, first]);
    expect((await trust.anchorsOf(id, 40)).map(({ anchor }) => anchor.id)).toEqual([second, first]);
    expect((await trust.tokenAnchors(id, 0, 5)).map(({ anchor }) => anchor.id)).toEqual([second, first]);
    expect(await trust.tokenAnchors(id, 41, 5)).toEqual([]);
    expect(await trust.tokenEnds(id, 39, 60)).toEqual({ tokens: 2, unknown: 1, earliest: 100 });
    expect(await trust.tokenEnds(id, 39, 100)).toEqual({ tokens: 2, unknown: 1, earliest: null });
    expect(await trust.tokenEnds(id, 40, 0)).toEqual({ tokens: 0, unknown: 0, earliest: null });
  });

  it('shows no row that was altered, and adds none to altered counts', async () => {
    const alter = (sql: string) =>
      log.owner.query(`set session_replication_role = replica; ${sql}; set session_replication_role = origin`);
    await alter(`update answer_evidence.published_checkpoints set root = '\\x00' where tree_size = 30`);
    await expect(trust.newestPublished(id)).rejects.toThrow('the MAC of a row');
    await alter('update answer_evidence.trust_tallies set attempts = attempts - 1');
    await expect(trust.publish(id, row(31))).rejects.toThrow('the counts');
  });
});
