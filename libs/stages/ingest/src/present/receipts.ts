import { formatBase64 } from '@answer-evidence/encoding';
import { type AppendedEntry, readInclusionProofs } from '@answer-evidence/ledger';
import { formatTlogProof, signCheckpoint } from '@answer-evidence/note';
import type { LogStore, Workspace } from '@answer-evidence/ports';

/** Writes receipts of entries that were just appended, as JSON strings. */
export type QuotedReceipts = (entry: AppendedEntry, checkpoint: string) => string;

/**
 * Receipts as JSON strings, made around a checkpoint that is quoted once for all entries of its batch. The dash of its signature
 * line is escaped: with it, the whole reply would take two bytes a character in memory.
 */
export function createQuotedReceipts(): QuotedReceipts {
  let last = '';
  let lastQuoted = '';
  return (entry, checkpoint) => {
    if (checkpoint !== last) {
      last = checkpoint;
      lastQuoted = oneByte(JSON.stringify(checkpoint).slice(1).replaceAll('\u2014', '\\u2014'));
    }
    let receipt = `"c2sp.org/tlog-proof@v1\\nindex ${entry.leafIndex}\\n`;
    for (const hash of entry.proof) receipt += `${formatBase64(hash)}\\n`;
    return `${receipt}\\n${lastQuoted}`;
  };
}

/** The same ASCII text as a new string: one that was cut out of a two-byte string keeps two bytes a character. */
function oneByte(text: string): string {
  return String.fromCharCode(...Array.from(text, (character) => character.charCodeAt(0)));
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
