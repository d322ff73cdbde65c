import { type AppendedEntry, readInclusionProofs } from '@answer-evidence/ledger';
import { formatTlogProof, signCheckpoint } from '@answer-evidence/note';
import type { LogStore, Workspace } from '@answer-evidence/ports';

/** The receipt of an entry that was just appended. */
export function receiptOf(entry: AppendedEntry, checkpoint: string): string {
  return formatTlogProof({ index: entry.leafIndex, hashes: entry.proof, checkpoint });
}

/** Receipts of stored leaves at the log's present size, all to one checkpoint. */
export async function readReceipts(
  logs: LogStore,
  workspace: Workspace,
  leafIndexes: readonly number[],
): Promise<readonly string[]> {
  if (leafIndexes.length === 0) return [];
  const snapshot = await logs.snapshot(workspace.id);
  const size = snapshot.head.tree_size;
  const proofs = await readInclusionProofs(snapshot.nodes, leafIndexes, size);
  const head = { origin: workspace.origin, size, root: snapshot.root };
  const checkpoint = signCheckpoint(head, workspace.vkey, (message) => workspace.vault.sign(message));
  return leafIndexes.map((index, n) => formatTlogProof({ index, hashes: proofs[n] ?? [], checkpoint }));
}
