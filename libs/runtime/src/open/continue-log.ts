import { epochCore } from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import type { KeptHead, PinnedHead, Workspace } from '@answer-evidence/ports';
import { createLogStore, createPostgresLedger, openEpoch, readServer } from '@answer-evidence/postgres';
import { reapplyRedaction } from '@answer-evidence/stage-ingest';
import { THIS_SERVICE } from '@answer-evidence/stage-trust';
import type { Stores } from './open-stores.ts';

/** The newest head that is known to have been signed: the one that is kept, or what a process that ended had seen. */
export function newestSigned(kept: KeptHead): PinnedHead {
  const { workspaceId, origin, systemIdentifier } = kept;
  let newest: PinnedHead = { workspaceId, origin, systemIdentifier, treeSize: kept.treeSize, rootHash: kept.rootHash };
  for (const { party, treeSize, rootHash } of kept.claims)
    if (party === THIS_SERVICE && rootHash !== undefined && treeSize > newest.treeSize)
      newest = { ...newest, treeSize, rootHash };
  return newest;
}

/** Whether the log has another name already, because of this very head; only the head outside has to follow. */
export async function isContinued({ logs }: Stores, { id }: Workspace, signed: PinnedHead): Promise<boolean> {
  const last = (await logs.workspaceEntries(id, 'epoch_opened')).at(-1);
  if (last === undefined) return false;
  const opened = epochCore.parse(parseJsonText(last.core_json));
  return opened.signed.origin === signed.origin && opened.signed.root_hash === signed.rootHash;
}

/** Gives the log another name, in one transaction of the database's owner. From here on, the old head refuses it. */
export async function beginContinuation(
  { logs, headStore }: Stores,
  url: string,
  workspace: Workspace,
  signed: PinnedHead,
): Promise<{ readonly origin: string; readonly leafIndex: number }> {
  const epochs = await logs.workspaceEntries(workspace.id, 'epoch_opened');
  const earlier = await headStore.findEnded(workspace.id);
  const deps = { clock: systemClock, random: systemRandom };
  return openEpoch(url, deps, workspace, signed, epochs.length + 1, earlier);
}

/**
 * Redacts again, then keeps the head under the new name: only that lets the service start. The stores must have been
 * opened after the name was given. Returns what was done, as a sentence.
 */
export async function finishContinuation(stores: Stores, workspaceId: string, signed: PinnedHead): Promise<string> {
  const workspace = await stores.directory.get(workspaceId);
  const counts = { there: 0, applied: 0, lost: 0 };
  // Not the ledger of the stores: that one appends nothing before the head is kept under the new name.
  const { pool, directory } = stores;
  const logs = createLogStore(pool, directory);
  const ledger = createPostgresLedger({ pool, directory, logs, clock: systemClock, onFatal: () => undefined });
  const parts = { ...stores, logs, ledger, clock: systemClock, random: systemRandom };
  for (const redaction of (await stores.headStore.findRedactions(workspaceId)) ?? [])
    counts[await reapplyRedaction(parts, workspace, redaction)] += 1;
  const { head, root } = await logs.snapshot(workspaceId);
  await stores.headStore.moveOn(
    {
      workspaceId,
      origin: workspace.origin,
      treeSize: head.tree_size,
      rootHash: formatHex(root),
      ...(await readServer(pool)),
    },
    signed.origin,
  );
  return `${workspace.slug}: ${counts.applied} redactions were applied again; ${counts.lost} concerned lost records`;
}
