import { ledgerKeyCore, ServiceError } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { formatHead } from '@answer-evidence/ledger';
import { frontierRoot, nodeFromTile, TILE_HEIGHT, TILE_WIDTH } from '@answer-evidence/merkle';
import { algorithmOfLogKey, parseVkey } from '@answer-evidence/note';
import { createTreeSigner, type LogStore, type Workspace } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import type { OfWorkspace } from './fake-store.ts';

/** Reads a workspace's log in memory. Nodes are hashed up from the leaves: an altered one shows in the proofs. */
export function logsOver(database: FakeDatabase, workspace: Workspace): OfWorkspace<LogStore> {
  const { rows } = database;
  function assertBegun(): void {
    if (rows.ledger_leaves.length === 0) throw new ServiceError('not_found', 'no such workspace');
  }
  function nodeAt(level: number, index: number): Uint8Array {
    const leaves = rows.ledger_leaves.slice(index * 2 ** level, (index + 1) * 2 ** level);
    return nodeFromTile(leaves.map((leaf) => leaf.leaf_hash));
  }
  return {
    snapshot() {
      assertBegun();
      const { head } = database;
      return {
        head: formatHead(head, workspace.vault.mac),
        root: frontierRoot(head.frontier),
        nodes: (nodes) => Promise.resolve(nodes.map(({ level, index }) => nodeAt(level, index))),
      };
    },
    signer() {
      assertBegun();
      const changes = rows.workspace_entries
        .filter(({ type }) => type === 'ledger_key_changed')
        .map((row) => {
          const { id, vkey, change } = ledgerKeyCore.parse(parseJsonText(row.core_json));
          return { vkey, change, leafIndex: database.leafOf(id).leaf_index };
        });
      const open = (vkey: string) => {
        const row = rows.ledger_keys.find((key) => key.vkey === vkey);
        if (row === undefined) throw new Error('a key of the log is missing');
        return workspace.vault.openLedgerKey(vkey, row.wrapped_seed, algorithmOfLogKey(parseVkey(vkey)));
      };
      return createTreeSigner(workspace, changes, open);
    },
    findLeaf: (subject, id) => rows.ledger_leaves.find((leaf) => leaf.subject === subject && leaf.id === id),
    leavesOf: (subject, treeSize) =>
      rows.ledger_leaves.filter((leaf) => leaf.subject === subject && leaf.leaf_index < treeSize),
    findCommit: (leafIndex) => rows.ledger_commits.find(({ tree_size: size }) => size > leafIndex),
    leaves: (from, to) => rows.ledger_leaves.slice(from, to),
    tileHashes(level, from, to) {
      const count = Math.max(0, Math.min(to, Math.floor(rows.ledger_leaves.length / TILE_WIDTH ** level)) - from);
      return Array.from({ length: count }, (_, n) => nodeAt(level * TILE_HEIGHT, from + n));
    },
    redactions: (from, to) =>
      rows.lifecycle_events.filter((event) => {
        const { leaf_index: index } = database.leafOf(event.id);
        return event.event_type === 'redacted' && index >= from && index < to;
      }),
    workspaceEntries: (type) => rows.workspace_entries.filter((entry) => entry.type === type),
  };
}
