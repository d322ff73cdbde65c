import { formatHex } from '@answer-evidence/encoding';
import type { Ticker } from '@answer-evidence/ports';
import type { TrustParts } from '../parts.ts';

const INTERVAL_MS = 1_000;

/**
 * Keeps every log's head outside of the database, so that a restore of an older database is seen at the next start. What was
 * committed within the last interval before a restore's backup is lost is covered by receipts only.
 */
export function keepHeadsTicker(parts: TrustParts): Ticker {
  const kept = new Map<string, number>();
  return {
    name: 'keep-heads',
    intervalMs: INTERVAL_MS,
    async run(signal) {
      for (const workspace of await parts.directory.list()) {
        if (signal.aborted) return;
        const { head, root } = await parts.logs.snapshot(workspace.id);
        if (kept.get(workspace.id) === head.tree_size) continue;
        const systemIdentifier = await parts.systemIdentifier();
        await parts.whileKeepingHead(workspace.id, async () => {
          await parts.outsideHeads.keep({
            workspaceId: workspace.id,
            origin: workspace.origin,
            treeSize: head.tree_size,
            rootHash: formatHex(root),
            systemIdentifier,
          });
          // Only here: who holds the lock instead may be keeping an older head than this one.
          kept.set(workspace.id, head.tree_size);
        });
      }
    },
  };
}
