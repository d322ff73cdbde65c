import { describe, expect, it } from '@jest/globals';
import { equalBytes } from '@answer-evidence/encoding';
import { readRoot } from '@answer-evidence/ledger';
import type { Workspace } from '@answer-evidence/ports';
import { openSharedWorkspace } from '@answer-evidence/testing';
import {
  createHeadFilesOf,
  createRecord,
  createTrustTest,
  openTrust,
  putPolicy,
  runConsumer,
} from '../fixtures/trust.ts';
import { createTrustStage } from '../index.ts';

describe('publishing', () => {
  it('publishes a tree that the log has, and keeps its head outside of the database first', async () => {
    const stage = await openTrust();
    await createRecord(stage);
    await runConsumer(stage, 'trust.publish');
    const newest = await stage.trust.newestPublished(stage.workspace.id);
    const { head, nodes } = await stage.logs.snapshot(stage.workspace.id);
    expect(newest?.tree_size).toBe(head.tree_size);
    expect(equalBytes(newest?.root ?? new Uint8Array(), await readRoot(nodes, head.tree_size))).toBe(true);
    expect(await stage.headStore.find(stage.workspace.id)).toMatchObject({ treeSize: head.tree_size });
  });

  it('publishes nothing before the interval has passed, nothing when the log has not grown, and at once when asked', async () => {
    const stage = await openTrust();
    await runConsumer(stage, 'trust.publish');
    const first = await stage.trust.newestPublished(stage.workspace.id);
    await runConsumer(stage, 'trust.run');
    expect(await stage.trust.newestPublished(stage.workspace.id)).toEqual(first);
    await createRecord(stage);
    await runConsumer(stage, 'trust.publish');
    expect(await stage.trust.newestPublished(stage.workspace.id)).toEqual(first);
    await runConsumer(stage, 'trust.run');
    expect((await stage.trust.newestPublished(stage.workspace.id))?.tree_size).toBe((first?.tree_size ?? 0) + 1);
  });

  it('never publishes a size twice or a smaller one, however many workers there are', async () => {
    const stage = await openTrust();
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
  });
});

describe('publishing', () => {
  it('goes on at once when the checkpoint before was published by a clock an hour ahead', async () => {
    const stage = await openTrust({});
    stage.clock.advance(3_600_000_000);
    await runConsumer(stage, 'trust.publish');
    await createRecord(stage);
    stage.clock.advance(-3_600_000_000);
    const before = await stage.trust.newestPublished(stage.workspace.id);
    await runConsumer(stage, 'trust.publish');
    const after = await stage.trust.newestPublished(stage.workspace.id);
    expect(after?.tree_size).toBe((before?.tree_size ?? 0) + 1);
  });

  it('stops the process when the log no longer holds what was published, and publishes nothing more', async () => {
    const fatal: Error[] = [];
    const workspace = await openSharedWorkspace();
    const files = createHeadFilesOf(workspace);
    const stage = createTrustTest(workspace, { files, onFatal: (error) => fatal.push(error) });
    const earlier = await stage.logs.snapshot(stage.workspace.id);
    await createRecord(stage);
    await runConsumer(stage, 'trust.publish');
    const published = await stage.trust.newestPublished(stage.workspace.id);
    stage.setBack(earlier);
    await expect(runConsumer(stage, 'trust.run')).rejects.toThrow('were published');
    expect(fatal).toHaveLength(1);
    expect(await stage.trust.newestPublished(stage.workspace.id)).toEqual(published);
    // What was published outlives the process that did it, also where the rows that say so are gone as well.
    await expect(createTrustTest(stage, { files }).heads.checkAtStart()).rejects.toMatchObject({ code: 'log_refused' });
  });

  it('publishes nothing that could not be kept outside of the database', async () => {
    let isBroken = true;
    const stage = await openTrust();
    const deps = {
      ...stage.deps,
      heads: {
        ...stage.heads,
        keep: (workspace: Workspace) =>
          isBroken ? Promise.reject(new Error('the disk is full')) : stage.heads.keep(workspace),
      },
    };
    await expect(runConsumer({ deps }, 'trust.publish')).rejects.toThrow('the disk is full');
    expect(await stage.trust.newestPublished(stage.workspace.id)).toBeUndefined();
    isBroken = false;
    await runConsumer({ deps }, 'trust.publish');
    const published = await stage.trust.newestPublished(stage.workspace.id);
    expect(published?.tree_size).toBe((await stage.headStore.find(stage.workspace.id))?.treeSize);
  });

  it('reads nothing of a log before its interval has passed, but every ten seconds, since the policy may change', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { checkpoint_interval_seconds: 3_600 });
    let reads = 0;
    const trust = {
      ...stage.trust,
      policy: (workspaceId: string) => {
        reads += 1;
        return stage.trust.policy(workspaceId);
      },
    };
    const consumer = createTrustStage({ ...stage.deps, trust }).consumers.find(
      ({ topic }) => topic === 'trust.publish',
    );
    const run = async () => {
      const job = { id: 'run', topic: 'trust.publish', workspace_id: null, subject: null } as const;
      await consumer?.run(job, new AbortController().signal);
      return reads;
    };
    expect(await run()).toBe(1);
    await createRecord(stage);
    expect([await run(), await run(), await run()]).toEqual([2, 2, 2]);
    stage.clock.advance(10_000_000);
    expect([await run(), await run()]).toEqual([3, 3]);
    await putPolicy(stage, { checkpoint_interval_seconds: 1 });
    stage.clock.advance(10_000_000);
    expect(await run()).toBe(4);
    const { head } = await stage.logs.snapshot(stage.workspace.id);
    expect((await stage.trust.newestPublished(stage.workspace.id))?.tree_size).toBe(head.tree_size);
  });

  it('publishes nothing of a log that is stopped, and fails for no other', async () => {
    const stage = await openTrust();
    await stage.heads.dispute(stage.workspace, {
      party: 'the witness w1',
      treeSize: 99,
      rootHash: undefined,
      seenAt: undefined,
      heldSize: 2,
    });
    await runConsumer(stage, 'trust.publish');
    expect(await stage.trust.newestPublished(stage.workspace.id)).toBeUndefined();
  });
});
