import { describe, expect, it } from '@jest/globals';
import { createTreeSigner } from '@answer-evidence/ports';
import { until } from '@answer-evidence/testing';
import { openKeeping } from '../fixtures/keeping.ts';
import { createFakeServers, createRecord, openTrust } from '../fixtures/trust.ts';
import { createHeadKeeper } from './create-head-keeper.ts';

const running = new AbortController().signal;

describe('what a process knows', () => {
  /** A keeper that has seen four entries, of which three are kept, on a log that is then put back to three. */
  async function createRolledBack() {
    const base = await openTrust();
    const back = await base.logs.snapshot(base.workspace.id);
    const state = { isBack: false };
    const stage = await openKeeping(
      {
        logs: {
          ...base.logs,
          snapshot: (id) => (state.isBack ? Promise.resolve(back) : base.logs.snapshot(id)),
        },
      },
      base,
    );
    const read = (id: string) => (state.isBack ? Promise.resolve(back) : base.logs.snapshot(id));
    await stage.keeper.checkAtStart();
    await stage.keeper.keep(base.workspace);
    await createRecord(base);
    return { ...stage, workspace: base.workspace, base, read, rollBack: () => void (state.isBack = true) };
  }

  it('of a tree that it signed outlives it, and every later process is refused', async () => {
    const stage = await createRolledBack();
    const { workspace, keeper, state, headStore } = stage;
    await keeper.see(workspace.id, () => stage.read(workspace.id));
    stage.rollBack();
    await expect(keeper.see(workspace.id, () => stage.read(workspace.id))).rejects.toMatchObject({
      code: 'content_damaged',
    });
    await untilEnded(state);
    expect(state.fatal).toEqual([expect.stringContaining('went back from 4 to 3')]);
    expect(await headStore.find(workspace.id)).toMatchObject({
      treeSize: 3,
      claims: [{ party: 'a process of this service', treeSize: 4 }],
    });
    const later = stage.open();
    await expect(later.checkAtStart()).rejects.toMatchObject({
      code: 'log_refused',
      message: expect.stringMatching(/holds 3 entries, but 4 were signed/),
    });
  });

  it('of what it appended outlives it, also when the keeper of heads is the one to notice', async () => {
    const stage = await createRolledBack();
    const { workspace, keeper, state, headStore } = stage;
    const { head, root } = await stage.read(workspace.id);
    keeper.noteAppended(workspace.id, { treeSize: head.tree_size, root });
    stage.rollBack();
    await expect(keeper.ticker('own').run(running)).rejects.toMatchObject({ code: 'log_refused' });
    await untilEnded(state);
    expect((await headStore.find(workspace.id))?.claims).toMatchObject([{ treeSize: 4 }]);
  });

  it('outlives it when it ends for any other reason, or is stopped while the database is unavailable', async () => {
    for (const way of ['end', 'stop'] as const) {
      const stage = await createRolledBack();
      const { workspace, keeper, state, headStore } = stage;
      await keeper.see(workspace.id, () => stage.read(workspace.id));
      stage.rollBack();
      if (way === 'end') {
        keeper.end(new Error('a disk is full'));
        await untilEnded(state);
        expect(state.fatal).toEqual(['a disk is full']);
        expect(() => keeper.assertSigning(workspace.id)).toThrow('the process is ending');
      } else await keeper.keepLast().catch(() => undefined);
      expect((await headStore.find(workspace.id))?.claims).toMatchObject([{ treeSize: 4 }]);
    }
  });

  it('is met by the database that has it, and no smaller head takes its place', async () => {
    const stage = await createRolledBack();
    const { workspace, keeper, headStore, base } = stage;
    await keeper.see(workspace.id, () => stage.read(workspace.id));
    keeper.end(new Error('ended'));
    await untilEnded(stage.state);
    const later = createHeadKeeper({
      ...base,
      headStore,
      servers: createFakeServers(),
      monotonicMs: () => 0,
      late: () => new Promise(() => undefined),
      onFatal: () => undefined,
      onStopped: () => undefined,
    });
    await later.checkAtStart();
    await later.keep(workspace);
    expect((await headStore.find(workspace.id))?.treeSize).toBe(4);
  });

  it('is compared with what others have written on top: another tree of that size ends it', async () => {
    const stage = await createRolledBack();
    const { workspace, keeper, state, base } = stage;
    keeper.noteAppended(workspace.id, { treeSize: 4, root: new Uint8Array(32) });
    await createRecord(base);
    await expect(keeper.keep(workspace)).rejects.toThrow(/differs from the one that this process had seen at size 4/);
    await untilEnded(state);
    expect((await stage.headStore.find(workspace.id))?.claims).toMatchObject([
      { treeSize: 4, rootHash: '00'.repeat(32) },
    ]);
  });

  it('of an earlier name of the log is held against nobody', async () => {
    const stage = await createRolledBack();
    const { workspace, keeper, headStore } = stage;
    await keeper.see(workspace.id, () => stage.read(workspace.id));
    const kept = await headStore.find(workspace.id);
    if (kept === undefined) throw new Error('a head is kept');
    await headStore.moveOn({ ...kept, origin: 'example.com/next' }, kept.origin);
    keeper.end(new Error('ended'));
    await untilEnded(stage.state);
    expect((await headStore.find(workspace.id))?.claims).toEqual([]);
  });

  it('is no claim where it was read from a standby, or from a log that was held against no head', async () => {
    const base = await openTrust();
    const stage = await openKeeping({ servers: createFakeServers({ isOnStandby: () => true }) }, base);
    await stage.keeper.checkAtStart();
    await createRecord(base);
    await stage.keeper.see(base.workspace.id, () => base.logs.snapshot(base.workspace.id));
    expect(() => stage.keeper.assertSigning(base.workspace.id)).toThrow('a standby');
    stage.keeper.end(new Error('ended'));
    expect((await stage.headStore.find(base.workspace.id))?.claims).toEqual([]);
  });
});

describe('a log on another server than its newest head', () => {
  const other = { systemIdentifier: '7400000000000000001', timeline: 2, synchronousStandbys: '' };

  it('is refused, and ends a process that runs, unless nothing can be missing', async () => {
    const stage = await openKeeping({ servers: createFakeServers({ server: () => Promise.resolve(other) }) });
    await expect(stage.keeper.checkAtStart()).rejects.toMatchObject({ code: 'server_changed' });
    await expect(stage.keeper.keep(stage.workspace)).rejects.toMatchObject({ code: 'server_changed' });
    expect(stage.state.fatal).toEqual([expect.stringMatching(/is on the server .*\/2, but its newest head .*\/1/)]);
  });

  it('goes on where the operator says so, and its head is kept there before anything is signed', async () => {
    const moved: string[] = [];
    const stage = await openKeeping({
      servers: createFakeServers({ server: () => Promise.resolve(other), lacksNothing: () => true }),
      onMoved: (sentence) => moved.push(sentence),
    });
    await stage.keeper.checkAtStart();
    expect(await stage.headStore.find(stage.workspace.id)).toMatchObject({ timeline: 2, treeSize: 3 });
    expect(moved).toEqual([expect.stringContaining('goes on on another server')]);
  });

  it('ends a process for what that process knows to be missing first, because no start gets past it', async () => {
    const base = await openTrust();
    const back = await base.logs.snapshot(base.workspace.id);
    const state = { isElsewhere: false };
    const stage = await openKeeping(
      {
        logs: { ...base.logs, snapshot: (id) => (state.isElsewhere ? Promise.resolve(back) : base.logs.snapshot(id)) },
        servers: createFakeServers({
          server: () => (state.isElsewhere ? Promise.resolve(other) : createFakeServers().server()),
        }),
      },
      base,
    );
    const { workspace, keeper } = stage;
    await keeper.checkAtStart();
    await keeper.keep(workspace);
    await createRecord(base);
    await keeper.see(workspace.id, () => base.logs.snapshot(workspace.id));
    state.isElsewhere = true;
    const logs = { ...base.logs, snapshot: () => Promise.resolve(back) };
    const missing = { code: 'log_refused', message: expect.stringContaining('went back from 4 to 3') };
    await expect(keeper.assertFollows(workspace, logs, other)).rejects.toMatchObject(missing);
    await expect(keeper.keep(workspace)).rejects.toMatchObject(missing);
    await untilEnded(stage.state);
    await expect(stage.open().checkAtStart()).rejects.toMatchObject({ code: 'log_refused' });
  });

  it('is not followed by a process that knows it by another name than it has there', async () => {
    const stage = await openKeeping();
    const { workspace, keeper, headStore, logs } = stage;
    await keeper.checkAtStart();
    const kept = await headStore.find(workspace.id);
    if (kept === undefined) throw new Error('a head is kept');
    await headStore.moveOn({ ...kept, ...other, origin: 'example.com/next' }, kept.origin);
    const there = { ...workspace, origin: 'example.com/next' };
    await expect(keeper.assertFollows(there, logs, other)).rejects.toMatchObject({
      code: 'server_changed',
      message: expect.stringMatching(/"acme-\d+" goes on as example\.com\/next on the server .*\/2/),
    });
  });

  it('is signed by nobody who knows it by an earlier name', async () => {
    const { workspace } = await openTrust();
    const renamed = [{ change: 'renamed' as const, from: { origin: workspace.origin, vkey: workspace.vkey } }];
    const open = (): never => {
      throw new Error('no key was added');
    };
    expect(() => createTreeSigner(workspace, renamed, open)).toThrow('the log has another name now');
    expect(createTreeSigner({ ...workspace, origin: 'example.com/next' }, renamed, open).earlier).toHaveLength(1);
  });

  it('is refused for what is known to be missing first', async () => {
    const stage = await openKeeping({ servers: createFakeServers({ server: () => Promise.resolve(other) }) });
    const kept = { workspaceId: stage.workspace.id, origin: stage.workspace.origin, systemIdentifier: '1' };
    await stage.headStore.keep({ ...kept, treeSize: 9, rootHash: 'ab'.repeat(32), timeline: 1 });
    await expect(stage.keeper.checkAtStart()).rejects.toMatchObject({ code: 'log_refused' });
  });
});

function untilEnded(state: { readonly fatal: readonly string[] }): Promise<void> {
  return until('the end of the process', () => state.fatal.length > 0);
}
