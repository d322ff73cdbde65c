import { readInclusionProofs } from '@answer-evidence/ledger';
import { formatTlogProof } from '@answer-evidence/note';
import type { LogStore, Workspace } from './stores.ts';

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
  const checkpoint = (await logs.signer(workspace.id)).sign({ size, root: snapshot.root });
  return leafIndexes.map((index, n) => formatTlogProof({ index, hashes: proofs[n] ?? [], checkpoint }));
}
