import type pg from 'pg';
import type { EpochCore } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { formatHead, placeWorkspaceEntry, planAppend, planTiles } from '@answer-evidence/ledger';
import { frontierRoot } from '@answer-evidence/merkle';
import { createVkey, ED25519, formatVkey } from '@answer-evidence/note';
import type { Clock, PinnedHead, RandomSource, Workspace } from '@answer-evidence/ports';
import { type WorkspaceRow, WORKSPACES } from '@answer-evidence/tables';
import { lockAndRead } from './append/read-state.ts';
import { checkHead, readTileHashes } from './append/transact.ts';
import { formatPlan } from './append/write-plan.ts';
import { createLogName } from './log-name.ts';
import { openPool } from './pool.ts';
import { authenticated, columnsWithMac, macOfRow } from './rows/row-macs.ts';

/**
 * Gives a log another name from its next leaf on, because trees were signed under the name before that the database
 * does not hold. Under the old name nothing is signed any more; under the new one nothing was. One transaction writes
 * the entry that says so and the workspace's new name. `earlier` are all names that it has had. Needs the role that
 * owns the tables, and no process that still knows the old name.
 */
export async function openEpoch(
  url: string,
  deps: { readonly clock: Clock; readonly random: RandomSource },
  workspace: Workspace,
  signed: PinnedHead,
  epoch: number,
  earlier: readonly string[],
): Promise<{ readonly origin: string; readonly leafIndex: number }> {
  const pool = openPool({ url, role: 'owner', connectionsMax: 1, onError: () => undefined });
  const client = await pool.connect();
  try {
    const now = deps.clock.nowMicros();
    const place = workspace.origin.slice(0, workspace.origin.lastIndexOf('/'));
    const used = [...earlier, signed.origin, workspace.origin];
    const { logId, origin } = createLogName(deps.random, Math.floor(now / 1000), place, used);
    const vkey = formatVkey(createVkey(origin, ED25519, workspace.vault.firstLedgerKey.publicKey));
    const { mac } = workspace.vault;
    const state = await lockAndRead(client, workspace.id, [], false);
    const head = checkHead(state.row, mac, undefined);
    if (state.row === undefined) throw new Error('a checked head is there');
    const core: EpochCore = {
      id: logId,
      nonce: formatHex(deps.random.bytes(16)),
      origin,
      vkey,
      continued: {
        log_id: workspace.logId,
        origin: workspace.origin,
        vkey: workspace.vkey,
        tree_size: head.treeSize,
        root_hash: formatHex(frontierRoot(head.frontier)),
      },
      signed: { origin: signed.origin, tree_size: signed.treeSize, root_hash: signed.rootHash },
    };
    const { entry, write } = placeWorkspaceEntry(logId, { type: 'epoch_opened', seq: epoch, core });
    const plan = planAppend(head, state.known, now, [
      {
        subject: logId,
        entryIds: [logId],
        settingsVersion: null,
        reads: {},
        sizeBytes: 0,
        decide: () => ({ kind: 'append', entries: [entry], writes: [write] }),
      },
    ]);
    const hashes = plan.leaves.map((leaf) => leaf.leaf_hash);
    const tiles = await planTiles(head.treeSize, hashes, readTileHashes(client, workspace.id, head));
    for (const statement of formatPlan(
      { workspaceId: workspace.id, mac },
      state.row,
      formatHead(plan.head, mac),
      plan,
      tiles,
    ))
      await client.query(statement);
    await renameLog(client, workspace, { log_id: logId, origin, vkey });
    await client.query('commit');
    return { origin, leafIndex: head.treeSize };
  } finally {
    // Without a commit everything is undone.
    client.release(true);
    await pool.end();
  }
}

/** Writes a log's new name into the workspace's row. Throws `StoredDamageError` for a row that was altered. */
async function renameLog(
  client: pg.ClientBase,
  { id, vault }: Workspace,
  name: Pick<WorkspaceRow, 'log_id' | 'origin' | 'vkey'>,
): Promise<void> {
  const { rows } = await client.query<WorkspaceRow & { mac: Uint8Array | null }>(
    `select ${columnsWithMac(WORKSPACES)} from answer_evidence.workspaces where id = $1 for update`,
    [id],
  );
  for (const row of authenticated(vault, WORKSPACES, rows))
    await client.query(
      'update answer_evidence.workspaces set log_id = $2, origin = $3, vkey = $4, mac = $5 where id = $1',
      [id, name.log_id, name.origin, name.vkey, macOfRow(vault, WORKSPACES, { ...row, ...name })],
    );
}
