import { formatTlogProof } from '@answer-evidence/note';
import type { LeafRow } from '@answer-evidence/tables';
import { proveLeaves } from './sound-proofs.ts';
import type { LogStore, Workspace } from './stores.ts';

/** Receipts of stored leaves at the log's present size, all to one checkpoint. Throws `StoredDamageError`. */
export async function readReceipts(
  logs: LogStore,
  workspace: Workspace,
  leaves: readonly LeafRow[],
): Promise<readonly string[]> {
  if (leaves.length === 0) return [];
  const { head, root, nodes } = await logs.snapshot(workspace.id);
  const tree = { size: head.tree_size, root };
  const proofs = await proveLeaves(nodes, leaves, tree);
  const checkpoint = await (await logs.signer(workspace.id)).signReceipt(tree);
  return leaves.map(({ leaf_index: index }, n) => formatTlogProof({ index, hashes: proofs[n] ?? [], checkpoint }));
}
