import { ledgerKeyCore, ServiceError } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { formatHead } from '@answer-evidence/ledger';
import { frontierRoot, nodeFromTile, TILE_HEIGHT, TILE_WIDTH } from '@answer-evidence/merkle';
import { algorithmOfLogKey, parseVkey } from '@answer-evidence/note';
import { createTreeSigner, type LogStore, type Workspace } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';

/** Reads a workspace's log in memory. Nodes are hashed up from the leaves: an altered one shows in the proofs. */
export function createFakeLogStore(database: FakeDatabase, workspace: Workspace): LogStore {
  const isHere = (asked: string) => asked === workspace.id;
  function nodeAt(level: number, index: number): Uint8Array {
    const leaves = database.rows.ledger_leaves.slice(index * 2 ** level, (index + 1) * 2 ** level);
    return nodeFromTile(leaves.map((leaf) => leaf.leaf_hash));
  }
  return {
    snapshot(asked) {
      if (!isHere(asked)) return Promise.reject(new ServiceError('not_found', 'no such workspace'));
      const { head } = database;
      return Promise.resolve({
        head: formatHead(head, workspace.vault.mac),
        root: frontierRoot(head.frontier),
        nodes: (nodes) => Promise.resolve(nodes.map(({ level, index }) => nodeAt(level, index))),
      });
    },
    signer(asked) {
      if (!isHere(asked)) return Promise.reject(new ServiceError('not_found', 'no such workspace'));
      const changes = database.rows.workspace_entries
        .filter(({ type }) => type === 'ledger_key_changed')
        .map((row) => {
          const { id, vkey, change } = ledgerKeyCore.parse(parseJsonText(row.core_json));
          return { vkey, change, leafIndex: database.leafOf(id).leaf_index };
        });
      const open = (vkey: string) => {
        const row = database.rows.ledger_keys.find((key) => key.vkey === vkey);
        if (row === undefined) throw new Error('a key of the log is missing');
        return workspace.vault.openLedgerKey(vkey, row.wrapped_seed, algorithmOfLogKey(parseVkey(vkey)));
      };
      return Promise.resolve(createTreeSigner(workspace, changes, open));
    },
    findLeaf: (asked, subject, id) =>
      Promise.resolve(
        isHere(asked)
          ? database.rows.ledger_leaves.find((leaf) => leaf.subject === subject && leaf.id === id)
          : undefined,
      ),
    leavesOf: (asked, subject, treeSize) =>
      Promise.resolve(
        isHere(asked)
          ? database.rows.ledger_leaves.filter((leaf) => leaf.subject === subject && leaf.leaf_index < treeSize)
          : [],
      ),
    findCommit: (asked, leafIndex) =>
      Promise.resolve(
        isHere(asked) ? database.rows.ledger_commits.find(({ tree_size: size }) => size > leafIndex) : undefined,
      ),
    leaves: (asked, from, to) => Promise.resolve(isHere(asked) ? database.rows.ledger_leaves.slice(from, to) : []),
    tileHashes(asked, level, from, to) {
      const there = isHere(asked) ? Math.floor(database.rows.ledger_leaves.length / TILE_WIDTH ** level) : 0;
      const count = Math.max(0, Math.min(to, there) - from);
      return Promise.resolve(Array.from({ length: count }, (_, n) => nodeAt(level * TILE_HEIGHT, from + n)));
    },
    redactions: (asked, from, to) =>
      Promise.resolve(
        database.rows.lifecycle_events.filter((event) => {
          const { leaf_index: index } = database.leafOf(event.id);
          return isHere(asked) && event.event_type === 'redacted' && index >= from && index < to;
        }),
      ),
    workspaceEntries: (asked, type) =>
      Promise.resolve(isHere(asked) ? database.rows.workspace_entries.filter((entry) => entry.type === type) : []),
  };
}
