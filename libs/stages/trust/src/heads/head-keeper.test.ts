import { describe, expect, it } from '@jest/globals';
import { formatHex } from '@answer-evidence/encoding';
import { EMPTY_ROOT } from '@answer-evidence/merkle';
import { HeadError, StoredDamageError, type Workspace } from '@answer-evidence/ports';
import { createFakeHeadFiles } from '@answer-evidence/testing';
import { damagedLogs } from '../fixtures/damaged-logs.ts';
import { openKeeping } from '../fixtures/keeping.ts';
import { createHeadFilesOf, createRecord, NO_ID, openTrust } from '../fixtures/trust.ts';
import { createHeadStore } from './head-store.ts';

const running = new AbortController().signal;

describe('the keeper of heads', () => {
  it('keeps the head as the log has it, with the cluster that it is in', async () => {
    const { headStore, logs, keeper, workspace } = await openKeeping();
    await keeper.ticker('all').run(running);
    const { head, root } = await logs.snapshot(workspace.id);
    expect(await headStore.find(workspace.id)).toMatchObject({
      origin: workspace.origin,
      treeSize: head.tree_size,
      rootHash: formatHex(root),
      systemIdentifier: '7400000000000000001',
    });
  });

  it('keeps a head once a size, however often it runs, and the next when the log has grown', async () => {
    const stage = await openKeeping();
    const ticker = stage.keeper.ticker('all');
    for (let n = 0; n < 3; n++) await ticker.run(running);
    await createRecord(stage);
    await createRecord(stage);
    for (let n = 0; n < 3; n++) await ticker.run(running);
    expect(stage.sizes()).toEqual([3, 5]);
  });

  it('keeps the heads of the logs that this process has appended to, where others are left to others', async () => {
    const stage = await openKeeping();
    const ticker = stage.keeper.ticker('own');
    await ticker.run(running);
    expect(stage.sizes()).toEqual([]);
    await createRecord(stage);
    stage.keeper.noteAppended(stage.workspace.id);
    for (let n = 0; n < 3; n++) await ticker.run(running);
    expect(stage.sizes()).toEqual([4]);
  });

  it('goes on beside another process that keeps a larger head', async () => {
    const stage = await openKeeping();
    const other = stage.open();
    await createRecord(stage);
    stage.keeper.noteAppended(stage.workspace.id);
    await Promise.all([stage.keeper.keep(stage.workspace), other.keep(stage.workspace)]);
    await createRecord(stage);
    await other.keep(stage.workspace);
    await stage.keeper.ticker('own').run(running);
    expect([(await stage.headStore.find(stage.workspace.id))?.treeSize, stage.state.fatal]).toEqual([5, []]);
  });

  it('holds several logs against their heads at once, so that a start waits for none by itself', async () => {
    const base = await openTrust();
    const logs = Array.from({ length: 4 }, (_, n) => ({ ...base.workspace, id: `${NO_ID.slice(0, -1)}${n}` }));
    const asked: string[] = [];
    const all = Promise.withResolvers<void>();
    const { keeper } = await openKeeping({
      directory: {
        ...base.directory,
        list: () => Promise.resolve(logs),
        async get(id) {
          if (asked.push(id) === logs.length) all.resolve();
          await all.promise;
          return { ...base.workspace, id };
        },
      },
    });
    // Nothing is kept of these logs; a keeper that asked for one after the other would wait for ever.
    await expect(keeper.checkAtStart()).rejects.toThrow();
    expect(asked.toSorted()).toEqual(logs.map(({ id }) => id));
  });

  it('keeps the heads of all logs but the one that is damaged, and says so', async () => {
    const base = await openTrust();
    const damaged = { ...base.workspace, id: NO_ID };
    const stage = await openKeeping({
      work: {
        grownLogs: () => Promise.resolve([damaged, stageWorkspace()].map((workspace) => ({ workspace, treeSize: 2 }))),
      },
      logs: {
        ...base.logs,
        snapshot: (id) => (id === NO_ID ? Promise.reject(new StoredDamageError('no head')) : stageSnapshot(id)),
      },
    });
    function stageWorkspace() {
      return stage.workspace;
    }
    function stageSnapshot(id: string) {
      return stage.logs.snapshot(id);
    }
    await expect(stage.keeper.ticker('all').run(running)).rejects.toThrow('no head');
    expect(stage.sizes()).toEqual([3]);
  });

  it('copies the heads that it keeps after half a minute, and at the end, and refuses a log whose head is gone', async () => {
    const stage = await openKeeping();
    const { keeper, workspace, files } = stage;
    const ticker = keeper.ticker('own');
    const copies = async () =>
      (await files.list(workspace.id)).flatMap((name) => /^newest-\d+-0*(\d+)/.exec(name)?.[1] ?? []);
    const record = async () => {
      await createRecord(stage);
      keeper.noteAppended(workspace.id);
    };
    await record();
    await ticker.run(running);
    expect(await copies()).toEqual([]);
    stage.state.nowMs = 30_000;
    await record();
    await ticker.run(running);
    expect(await copies()).toEqual(['5']);
    await record();
    await keeper.keepLast();
    expect([stage.sizes(), await copies()]).toEqual([[4, 5, 6], ['6']]);
    for (const name of await files.list(workspace.id))
      if (name.startsWith('head-0000-0000000000000006')) await files.delete(`${workspace.id}/${name}`);
    await createRecord(stage);
    await expect(keeper.keep(workspace)).rejects.toMatchObject({ code: 'kept_gone' });
    await expect(keeper.admit(workspace.id)).rejects.toMatchObject({ code: 'content_damaged' });
    expect([stage.state.fatal, stage.state.stopped]).toEqual([[], []]);
  });

  it('refuses a log as damaged while its hashes do not lead to its head, ends nothing, and goes on when they do', async () => {
    const base = await openTrust();
    let nth: number | undefined;
    const { keeper, workspace, ...stage } = await openKeeping({ logs: damagedLogs(base.logs, () => nth) }, base);
    await keeper.keep(workspace);
    await createRecord(base);
    expect(keeper.admit(workspace.id)).toBeUndefined();
    nth = 0;
    await expect(keeper.keep(workspace)).rejects.toThrow(StoredDamageError);
    await expect(keeper.admit(workspace.id)).rejects.toThrow(StoredDamageError);
    await expect(keeper.admitSigning(workspace.id)).rejects.toThrow(StoredDamageError);
    expect([stage.sizes(), stage.state.fatal, stage.state.stopped]).toEqual([[3], [], []]);
    nth = undefined;
    await keeper.admit(workspace.id);
    await keeper.keep(workspace);
    expect([stage.sizes(), keeper.admit(workspace.id)]).toEqual([[3, 4], undefined]);
  });

  /** Ten thousand logs that are kept as they are, and a count of what is asked about them. */
  async function createMany() {
    const base = await openTrust();
    const sizes = new Map(
      Array.from({ length: 10_000 }, (_, n) => [`${NO_ID.slice(0, -5)}${String(n).padStart(5, '0')}`, 2]),
    );
    const asked = { grown: [] as number[], snapshots: [] as string[], lists: 0 };
    const known = await base.logs.snapshot(base.workspace.id);
    const logOf = (id: string): Workspace => ({ ...base.workspace, id });
    const stage = await openKeeping({
      directory: {
        ...base.directory,
        get: (id) => Promise.resolve(logOf(id)),
        list: () => {
          asked.lists += 1;
          return Promise.resolve([...sizes.keys()].map(logOf));
        },
      },
      logs: {
        ...base.logs,
        snapshot: (id) => {
          asked.snapshots.push(id);
          return Promise.resolve({ ...known, head: { ...known.head, tree_size: sizes.get(id) ?? 0 } });
        },
        redactions: () => Promise.resolve([]),
      },
      headStore: {
        ...createHeadStore(createHeadFilesOf(base)),
        find: (workspaceId) =>
          Promise.resolve({
            workspaceId,
            origin: base.workspace.origin,
            treeSize: 0,
            rootHash: formatHex(EMPTY_ROOT),
            systemIdentifier: '7400000000000000001',
            place: 'head.json',
            twins: [],
            claims: [],
          }),
        hasRedactions: () => Promise.resolve(true),
        keep: () => Promise.resolve(),
      },
      work: {
        grownLogs: (since) => {
          asked.grown.push(since);
          return Promise.resolve([...sizes].map(([id, treeSize]) => ({ workspace: logOf(id), treeSize })));
        },
      },
    });
    return { ...stage, sizes, asked };
  }

  it('asks one question about ten thousand logs, and then of the three that have grown', async () => {
    const { keeper, sizes, asked } = await createMany();
    const ticker = keeper.ticker('all');
    while (asked.snapshots.length < sizes.size) await ticker.run(running);
    const grown = [...sizes.keys()].slice(4_711, 4_714);
    for (const id of grown) sizes.set(id, 3);
    Object.assign(asked, { grown: [], snapshots: [], lists: 0 });
    await ticker.run(running);
    await ticker.run(running);
    expect(asked).toEqual({ grown: [expect.any(Number), expect.any(Number)], snapshots: grown, lists: 0 });
  });

  it('keeps the head of what it appended itself before those of thousands of other logs', async () => {
    const { keeper, sizes, asked } = await createMany();
    const [own = ''] = [...sizes.keys()].slice(-1);
    keeper.noteAppended(own);
    await keeper.ticker('all').run(running);
    expect(asked.snapshots[0]).toBe(own);
    expect(asked.snapshots.length).toBeLessThan(300);
    expect(keeper.standing().unkeptMs).toBe(0);
  });

  it('asks for all logs now and then, and in between for those with an entry that may be new', async () => {
    const { keeper, asked, state } = await createMany();
    const ticker = keeper.ticker('all');
    for (const nowMs of [0, 1_000, 29_000, 30_000]) {
      state.nowMs = nowMs;
      await ticker.run(running);
    }
    expect(asked.grown.map((since) => since > 0)).toEqual([false, true, true, false]);
  });

  it('keeps nothing more once it is told to stop', async () => {
    const { keeper, sizes } = await openKeeping();
    await keeper.ticker('all').run(AbortSignal.abort());
    expect(sizes()).toEqual([]);
  });

  it('ends the process instead of moving on from a head that the log does not hold', async () => {
    for (const treeSize of [1, 1_000_000]) {
      const stage = await openKeeping();
      const { workspace } = stage;
      const kept = { workspaceId: workspace.id, origin: workspace.origin, systemIdentifier: 'x' };
      await stage.headStore.keep({ ...kept, treeSize, rootHash: 'ab'.repeat(32) });
      await expect(stage.keeper.ticker('all').run(running)).rejects.toThrow(workspace.slug);
      expect(stage.state.fatal).toEqual([expect.stringContaining(workspace.slug)]);
      expect(stage.sizes()).toEqual([]);
    }
  });

  it('ends the process when the place has lost every head, or has got a second root', async () => {
    const lost = await openKeeping();
    await lost.keeper.keep(lost.workspace);
    for (const name of await lost.files.list(lost.workspace.id))
      await lost.files.delete(`${lost.workspace.id}/${name}`);
    await createRecord(lost);
    await expect(lost.keeper.keep(lost.workspace)).rejects.toMatchObject({ code: 'head_missing' });
    const twin = await openKeeping();
    await twin.keeper.keep(twin.workspace);
    const kept = await twin.headStore.find(twin.workspace.id);
    if (kept === undefined) throw new Error('a head is kept');
    await twin.headStore.keep({ ...kept, rootHash: 'f'.repeat(64) }).catch(() => undefined);
    await createRecord(twin);
    await expect(twin.keeper.keep(twin.workspace)).rejects.toThrow(/2 roots at size 3/);
    expect([lost.state.fatal.length, twin.state.fatal.length]).toEqual([1, 1]);
  });
});

describe('what the keeper admits', () => {
  it('is an append at once, after the first one to a log was held against its head', async () => {
    const { keeper, workspace } = await openKeeping();
    await keeper.admit(workspace.id);
    expect(keeper.admit(workspace.id)).toBeUndefined();
    const other = (await openKeeping()).keeper;
    await expect(other.admit(NO_ID)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is nothing on a log of which no head is kept, and nothing is signed on it', async () => {
    const stage = await openKeeping({ headStore: createHeadStore(createFakeHeadFiles()) });
    const refusal = { code: 'content_damaged', cause: { code: 'head_missing' } };
    await expect(stage.keeper.admit(stage.workspace.id)).rejects.toMatchObject(refusal);
    // The process ends by then: another one says what it finds.
    const ending = { code: 'ledger_unavailable', cause: { code: 'head_missing' } };
    await expect(stage.keeper.admitSigning(stage.workspace.id)).rejects.toMatchObject(ending);
    await expect(stage.keeper.checkAtStart()).rejects.toMatchObject({ code: 'head_missing' });
  });

  it('is a minute of appends while heads cannot be kept, then none, and all again when they can', async () => {
    const { keeper, workspace, state } = await openKeeping();
    await keeper.checkAtStart();
    const ticker = keeper.ticker('own');
    state.isBroken = true;
    keeper.noteAppended(workspace.id);
    await expect(ticker.run(running)).rejects.toMatchObject({ code: 'place_unavailable' });
    state.nowMs = 60_000;
    keeper.noteAppended(workspace.id);
    expect([keeper.admit(workspace.id), keeper.standing()]).toEqual([
      undefined,
      { stopped: 0, unkeptMs: 60_000, isOverdue: false },
    ]);
    state.nowMs = 60_001;
    expect(() => keeper.admit(workspace.id)).toThrow(expect.objectContaining({ code: 'ledger_unavailable' }));
    expect(keeper.standing().isOverdue).toBe(true);
    await keeper.admitSigning(workspace.id);
    state.isBroken = false;
    await ticker.run(running);
    expect([keeper.admit(workspace.id), keeper.standing()]).toEqual([
      undefined,
      { stopped: 0, unkeptMs: 0, isOverdue: false },
    ]);
  });

  it('counts from the first entry that is not covered, also when more come while a head is being kept', async () => {
    const { keeper, workspace, state } = await openKeeping();
    keeper.noteAppended(workspace.id);
    state.nowMs = 1_000;
    const keeping = keeper.keep(workspace);
    keeper.noteAppended(workspace.id);
    await keeping;
    state.nowMs = 1_500;
    expect(keeper.standing().unkeptMs).toBe(500);
  });
});

describe('a log that an outside party has seen more of', () => {
  it('is stopped at once, is told of once, and every other process and start hears of it', async () => {
    const stage = await openKeeping();
    const { workspace, keeper, state } = stage;
    const other = stage.open();
    await keeper.checkAtStart();
    await other.checkAtStart();
    for (let n = 0; n < 2; n++)
      await keeper.dispute(workspace, {
        party: 'the witness w1',
        treeSize: 9,
        rootHash: undefined,
        seenAt: undefined,
        heldSize: 2,
      });
    const refusal = expect.objectContaining({ code: 'content_damaged', cause: expect.any(HeadError) });
    expect(() => keeper.admit(workspace.id)).toThrow(refusal);
    await expect(keeper.admitSigning(workspace.id)).rejects.toEqual(refusal);
    expect([keeper.isStopped(workspace.id), keeper.standing().stopped]).toEqual([true, 1]);
    expect(other.isStopped(workspace.id)).toBe(false);
    other.noteAppended(workspace.id);
    await other.ticker('own').run(running);
    expect(() => other.admit(workspace.id)).toThrow(refusal);
    const later = stage.open();
    await later.checkAtStart();
    expect(later.isStopped(workspace.id)).toBe(true);
    expect([state.stopped.length, state.fatal]).toEqual([3, []]);
    expect(state.stopped[0]).toMatch(/"acme-\d+" was rolled back: the witness w1 has seen 9 entries.*held 2/);
  });

  it('is stopped also where that cannot be kept', async () => {
    const { keeper, workspace, state } = await openKeeping();
    state.isBroken = true;
    const claim = { party: 'the witness w1', treeSize: 9, rootHash: undefined, seenAt: undefined, heldSize: 2 };
    await expect(keeper.dispute(workspace, claim)).rejects.toMatchObject({ code: 'place_unavailable' });
    expect(keeper.isStopped(workspace.id)).toBe(true);
  });
});
