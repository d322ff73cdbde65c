import { describe, expect, it } from '@jest/globals';
import { equalBytes } from '@answer-evidence/encoding';
import { readRoot } from '@answer-evidence/ledger';
import { createFakeAnchor } from '@answer-evidence/testing';
import { createFakeTrust, createRecord, createTrustTest, PLACES, putPolicy, runConsumer } from '../fixtures/trust.ts';

describe.each(PLACES)('publishing, %s', (_place, open) => {
  it('publishes a tree that the log has, and keeps its head outside of the database first', async () => {
    const stage = await open();
    try {
      await createRecord(stage);
      await runConsumer(stage, 'trust.publish');
      const newest = await stage.trust.newestPublished(stage.workspace.id);
      const { head, nodes } = await stage.logs.snapshot(stage.workspace.id);
      expect(newest?.tree_size).toBe(head.tree_size);
      expect(equalBytes(newest?.root ?? new Uint8Array(), await readRoot(nodes, head.tree_size))).toBe(true);
      expect(await stage.headStore.find(stage.workspace.id)).toMatchObject({ treeSize: head.tree_size });
    } finally {
      await stage.close();
    }
  });

  it('publishes nothing before the interval has passed, nothing when the log has not grown, and at once when asked', async () => {
    const stage = await open();
    try {
      await runConsumer(stage, 'trust.publish');
      const first = await stage.trust.newestPublished(stage.workspace.id);
      await runConsumer(stage, 'trust.run');
      expect(await stage.trust.newestPublished(stage.workspace.id)).toEqual(first);
      await createRecord(stage);
      await runConsumer(stage, 'trust.publish');
      expect(await stage.trust.newestPublished(stage.workspace.id)).toEqual(first);
      await runConsumer(stage, 'trust.run');
      expect((await stage.trust.newestPublished(stage.workspace.id))?.tree_size).toBe((first?.tree_size ?? 0) + 1);
    } finally {
      await stage.close();
    }
  });

  it('never publishes a size twice or a smaller one, however many workers there are', async () => {
    const stage = await open();
    try {
      await putPolicy(stage, { checkpoint_interval_seconds: 1 });
      const workers = Array.from({ length: 3 }, () => createTrustTest(stage, { headStore: stage.headStore }));
      for (let round = 0; round < 4; round++) {
        await createRecord(stage);
        await Promise.all(workers.map((worker) => runConsumer(worker, 'trust.run').catch(() => undefined)));
      }
      const { items } = await stage.trust.listPublished(stage.workspace.id, { offset: 0, limit: 50 });
      const sizes = items.map((row) => row.tree_size);
      expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a));
      expect(sizes.length).toBeGreaterThan(1);
    } finally {
      await stage.close();
    }
  });
});

describe('publishing', () => {
  it('stops the process when the log no longer holds what was published, and publishes nothing more', async () => {
    const fatal: Error[] = [];
    const stage = createFakeTrust({ onFatal: (error) => fatal.push(error) });
    const { head } = stage.database;
    await createRecord(stage);
    await runConsumer(stage, 'trust.publish');
    const published = await stage.trust.newestPublished(stage.workspace.id);
    stage.database.head = head;
    await expect(runConsumer(stage, 'trust.run')).rejects.toThrow('were published');
    expect(fatal).toHaveLength(1);
    expect(await stage.trust.newestPublished(stage.workspace.id)).toEqual(published);
  });

  it('publishes nothing that could not be kept outside of the database', async () => {
    const stage = createFakeTrust({ whileKeepingHead: () => Promise.reject(new Error('the disk is full')) });
    await expect(runConsumer(stage, 'trust.publish')).rejects.toThrow('the disk is full');
    expect(await stage.trust.newestPublished(stage.workspace.id)).toBeUndefined();
    const busy = createFakeTrust({ whileKeepingHead: () => Promise.resolve(false) });
    await runConsumer(busy, 'trust.publish');
    expect(await busy.trust.newestPublished(busy.workspace.id)).toBeUndefined();
  });

  it('fails when it was asked for while the head is being kept, so that it is asked again, and anchors nothing older', async () => {
    let isFree = true;
    const file = createFakeAnchor();
    const stage = createFakeTrust({
      anchors: { file, rfc3161: file, 'object-lock': file },
      whileKeepingHead: (_, action) => (isFree ? action().then(() => true) : Promise.resolve(false)),
    });
    await runConsumer(stage, 'trust.publish');
    await putPolicy(stage, { anchors: [{ id: 'disk', type: 'file' }] });
    await createRecord(stage);
    isFree = false;
    await expect(runConsumer(stage, 'trust.run')).rejects.toThrow('stores the head');
    expect(file.asked).toEqual([]);
    isFree = true;
    await runConsumer(stage, 'trust.run');
    const [stored] = await stage.trust.newestAnchors(stage.workspace.id);
    expect(stored?.anchor.tree_size).toBe((await stage.logs.snapshot(stage.workspace.id)).head.tree_size);
  });
});
