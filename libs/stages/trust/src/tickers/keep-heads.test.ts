import { describe, expect, it } from '@jest/globals';
import { formatHex } from '@answer-evidence/encoding';
import { type OutsideHead, StoredDamageError } from '@answer-evidence/ports';
import { createFakeHeadStore } from '@answer-evidence/testing';
import type { TrustDeps } from '../deps.ts';
import { createFakeTrust, createRecord, NO_ID } from '../fixtures/trust.ts';
import { keepHeadsTicker } from './keep-heads.ts';

const running = new AbortController().signal;

/** The ticker on a workspace in memory, with every head that it kept. */
function createTicking(more: Partial<TrustDeps> = {}) {
  const kept: OutsideHead[] = [];
  const headStore = createFakeHeadStore();
  const stage = createFakeTrust({
    headStore: {
      ...headStore,
      async keep(head) {
        await headStore.keep(head);
        kept.push(head);
      },
    },
    ...more,
  });
  return { ...stage, kept, ticker: keepHeadsTicker(stage.deps) };
}

describe('keepHeadsTicker', () => {
  it('keeps the head as the log has it, with the cluster that it is in', async () => {
    const { kept, logs, ticker, workspace } = createTicking();
    await ticker.run(running);
    const { head, root } = await logs.snapshot(workspace.id);
    expect(kept).toEqual([
      {
        workspaceId: workspace.id,
        origin: workspace.origin,
        treeSize: head.tree_size,
        rootHash: formatHex(root),
        systemIdentifier: '7400000000000000001',
      },
    ]);
  });

  it('keeps a head once a size, however often it runs, and the next when the log has grown', async () => {
    const stage = createTicking();
    for (let n = 0; n < 3; n++) await stage.ticker.run(running);
    await createRecord(stage);
    await createRecord(stage);
    for (let n = 0; n < 3; n++) await stage.ticker.run(running);
    expect(stage.kept.map(({ treeSize }) => treeSize)).toEqual([2, 4]);
  });

  it('keeps nothing while another process does, and does not count that as kept', async () => {
    let isFree = false;
    const { kept, ticker } = createTicking({
      whileKeepingHead: (_, action) => (isFree ? action().then(() => true) : Promise.resolve(false)),
    });
    await ticker.run(running);
    expect(kept).toEqual([]);
    isFree = true;
    await ticker.run(running);
    expect(kept.map(({ treeSize }) => treeSize)).toEqual([2]);
  });

  it('tries a head again that could not be kept', async () => {
    let isBroken = true;
    const { kept, ticker } = createTicking({
      whileKeepingHead: (_, action) =>
        isBroken ? Promise.reject(new Error('the disk is full')) : action().then(() => true),
    });
    await expect(ticker.run(running)).rejects.toThrow('the disk is full');
    isBroken = false;
    await ticker.run(running);
    expect(kept).toHaveLength(1);
  });

  it('keeps the heads of all logs but the one that is damaged, and says so', async () => {
    const { deps, kept, workspace } = createTicking();
    const damaged = { ...workspace, id: NO_ID };
    const ticker = keepHeadsTicker({
      ...deps,
      directory: { ...deps.directory, list: () => Promise.resolve([damaged, workspace]) },
      logs: {
        ...deps.logs,
        snapshot: (id) => (id === NO_ID ? Promise.reject(new StoredDamageError('no head')) : deps.logs.snapshot(id)),
      },
    });
    await expect(ticker.run(running)).rejects.toThrow('no head');
    expect(kept.map(({ workspaceId }) => workspaceId)).toEqual([workspace.id]);
  });

  it('keeps nothing more once it is told to stop', async () => {
    const { kept, ticker } = createTicking();
    await ticker.run(AbortSignal.abort());
    expect(kept).toEqual([]);
  });

  it('ends the process instead of moving on from a head that the log does not hold', async () => {
    for (const change of [{ treeSize: 1 }, { treeSize: 1_000_000 }]) {
      const fatal: string[] = [];
      const stage = createTicking({ onFatal: (error) => fatal.push(error.name) });
      const kept = { workspaceId: stage.workspace.id, origin: stage.workspace.origin, systemIdentifier: 'x' };
      await stage.deps.headStore.keep({ ...kept, ...change, rootHash: 'ab'.repeat(32) });
      await expect(stage.ticker.run(running)).rejects.toThrow(stage.workspace.slug);
      expect(fatal).toEqual(['HeadError']);
      expect(stage.kept).toHaveLength(1);
    }
  });
});
