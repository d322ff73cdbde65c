import { formatCheckpoint } from '@answer-evidence/note';
import type { Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';

/** The text that anchors of a checkpoint are over; undefined for one that was published under an earlier name. */
export async function readAnchoredText(
  { trust }: Pick<TrustDeps, 'trust'>,
  { id, origin }: Workspace,
  treeSize: number,
): Promise<string | undefined> {
  const row = await trust.findPublished(id, treeSize);
  return row === undefined ? undefined : formatCheckpoint({ origin, size: row.tree_size, root: row.root });
}
