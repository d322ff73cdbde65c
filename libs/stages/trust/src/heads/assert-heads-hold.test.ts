import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { StoredDamageError } from '@answer-evidence/ports';
import { createFakeHeadFiles, createTestVault } from '@answer-evidence/testing';
import { damagedLogs } from '../fixtures/damaged-logs.ts';
import { createRecord, openTrust } from '../fixtures/trust.ts';
import { assertLogHolds, type HeadDeps } from './assert-heads-hold.ts';

/** Holds every log against its head, as a start does. */
async function assertHeadsHold(deps: HeadDeps): Promise<void> {
  for (const workspace of await deps.directory.list()) await assertLogHolds(deps, workspace);
}

async function createKept() {
  const stage = await openTrust();
  await createRecord(stage);
  await stage.heads.keep(stage.workspace);
  return stage;
}

describe('assertHeadsHold', () => {
  it('holds for a log of which only the empty head was kept, one that was kept, and one that has grown since', async () => {
    await assertHeadsHold(await openTrust());
    const stage = await createKept();
    await assertHeadsHold(stage);
    for (let n = 0; n < 9; n++) {
      await createRecord(stage);
      await assertHeadsHold(stage);
    }
  });

  it('refuses a log with entries of which no head is kept, and holds once it is adopted', async () => {
    const stage = await openTrust({ files: createFakeHeadFiles() });
    const { workspace, logs } = stage;
    await expect(assertHeadsHold(stage)).rejects.toMatchObject({
      code: 'head_missing',
      message: expect.stringMatching(/"acme-\d+" holds 3 entries, but no head of it is kept in memory/),
    });
    const { head, root } = await logs.snapshot(workspace.id);
    await stage.headStore.adopt(
      {
        workspaceId: workspace.id,
        origin: workspace.origin,
        treeSize: head.tree_size,
        rootHash: formatHex(root),
        systemIdentifier: '1',
      },
      0,
    );
    await assertHeadsHold(stage);
  });

  it('refuses a log of which two roots are kept for one size, and names both, also when it holds one of them', async () => {
    const stage = await createKept();
    const kept = await stage.headStore.find(stage.workspace.id);
    if (kept === undefined) throw new Error('a head is kept');
    await expect(stage.headStore.keep({ ...kept, rootHash: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'log_refused',
    });
    await createRecord(stage);
    await expect(assertHeadsHold(stage)).rejects.toMatchObject({
      code: 'log_refused',
      message: expect.stringMatching(/has 2 roots at size 4: memory\/.* and memory\/.*/),
    });
  });

  it('refuses a log of which somebody outside has seen more, also when it has grown beyond that', async () => {
    const stage = await createKept();
    const { workspace, headStore } = stage;
    const claim = { workspaceId: workspace.id, origin: workspace.origin, party: 'the witness w1' };
    await headStore.dispute({ ...claim, treeSize: 5, rootHash: undefined, seenAt: undefined, heldSize: 4 });
    for (let n = 0; n < 3; n++) {
      await expect(assertHeadsHold(stage)).rejects.toMatchObject({
        code: 'log_disputed',
        message: expect.stringMatching(/"acme-\d+" was rolled back: the witness w1 has seen 5 entries.*held 4.*memory/),
      });
      await createRecord(stage);
    }
  });

  it('refuses a log against which a tree is held that it does not have, and takes one that has it', async () => {
    const stage = await createKept();
    const { workspace, headStore, logs } = stage;
    const rolledBack = await logs.snapshot(workspace.id);
    await createRecord(stage);
    const { head, root } = await logs.snapshot(workspace.id);
    stage.setBack(rolledBack);
    const claim = {
      workspaceId: workspace.id,
      origin: workspace.origin,
      party: 'the anchor a1',
      seenAt: 'a bucket',
      heldSize: 4,
    };
    await headStore.dispute({ ...claim, treeSize: head.tree_size, rootHash: formatHex(root) });
    await expect(assertHeadsHold(stage)).rejects.toMatchObject({ code: 'log_disputed' });
    stage.setBack(undefined);
    await assertHeadsHold(stage);
    await headStore.dispute({ ...claim, treeSize: head.tree_size, rootHash: 'f'.repeat(64) });
    await expect(assertHeadsHold(stage)).rejects.toThrow(/the anchor a1 has seen 5 entries/);
  });

  it('refuses a log that is behind what was kept, and says by how much', async () => {
    const stage = await openTrust();
    const earlier = await stage.logs.snapshot(stage.workspace.id);
    await createRecord(stage);
    await stage.heads.keep(stage.workspace);
    stage.setBack(earlier);
    await expect(assertHeadsHold(stage)).rejects.toMatchObject({ code: 'log_refused' });
    await expect(assertHeadsHold(stage)).rejects.toThrow(/"acme-\d+" holds 3 entries, but 4 were signed/);
  });

  it.each([0, 2])('refuses a log beside what was kept, also when it has grown by %i entries', async (growth) => {
    const stage = await openTrust();
    await createRecord(stage);
    const { workspace, logs, headStore } = stage;
    await headStore.keep({
      workspaceId: workspace.id,
      origin: workspace.origin,
      treeSize: (await logs.snapshot(workspace.id)).head.tree_size,
      rootHash: 'f'.repeat(64),
      systemIdentifier: '1',
    });
    for (let n = 0; n < growth; n++) await createRecord(stage);
    await expect(assertHeadsHold(stage)).rejects.toMatchObject({ code: 'log_refused' });
    await expect(assertHeadsHold(stage)).rejects.toThrow(/differs from the one signed at size 4/);
  });

  it.each([0, 1, 2])(
    'tells a log that was altered below what was kept from another history, grown by %i',
    async (growth) => {
      const stage = await createKept();
      const { workspace, headStore } = stage;
      const kept = await headStore.find(workspace.id);
      for (let n = 0; n < growth; n++) await createRecord(stage);
      const claim = { workspaceId: workspace.id, origin: workspace.origin, party: 'the witness w1', seenAt: undefined };
      await headStore.dispute({ ...claim, treeSize: kept?.treeSize ?? 0, rootHash: kept?.rootHash, heldSize: 2 });
      let nth: number | undefined = 0;
      const altered = { ...stage, logs: damagedLogs(stage.logs, () => nth) };
      await expect(assertHeadsHold(altered)).rejects.toThrow(StoredDamageError);
      nth = undefined;
      await assertHeadsHold(altered);
    },
  );

  it('refuses a log whose stored hashes say what was kept, and whose head does not follow from them', async () => {
    const stage = await createKept();
    await createRecord(stage);
    // Another history, of which the hashes below the kept head were put back.
    const snapshot = async (id: string) => ({ ...(await stage.logs.snapshot(id)), root: new Uint8Array(32) });
    const beside = { ...stage, logs: { ...stage.logs, snapshot } };
    await expect(assertHeadsHold(beside)).rejects.toThrow(StoredDamageError);
  });

  it('refuses a signing key that the log does not name, also when nothing was kept', async () => {
    const { workspace, logs, headStore } = await openTrust();
    const altered = { ...workspace, vault: createTestVault(workspace.id) };
    const directory = {
      get: () => Promise.resolve(altered),
      findBySlug: () => Promise.resolve(altered),
      list: () => Promise.resolve([altered]),
    };
    await expect(assertHeadsHold({ directory, logs, headStore })).rejects.toMatchObject({ code: 'log_refused' });
  });

  it('refuses when the log or the kept head cannot be read, rather than to go on without', async () => {
    const stage = await createKept();
    const error = new ServiceError('ledger_unavailable', 'the head or the keys of the ledger cannot be trusted');
    const logs = { ...stage.logs, snapshot: () => Promise.reject(error) };
    await expect(assertHeadsHold({ ...stage, logs })).rejects.toBe(error);
    const headStore = { ...stage.headStore, find: () => Promise.reject(new Error('cannot be read')) };
    await expect(assertHeadsHold({ ...stage, headStore })).rejects.toThrow('cannot be read');
  });
});
