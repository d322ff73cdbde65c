import { sha256 } from '@answer-evidence/digest';
import { utf8 } from '@answer-evidence/encoding';
import { formatCheckpoint } from '@answer-evidence/note';
import type { Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';

/** What anchors of a checkpoint are over; nothing for one that was published under an earlier name of the log. */
export async function hashCheckpoint(
  { trust }: Pick<TrustDeps, 'trust'>,
  { id, origin }: Workspace,
  treeSize: number,
): Promise<readonly Uint8Array[]> {
  const row = await trust.findPublished(id, treeSize);
  return row === undefined ? [] : [sha256(utf8(formatCheckpoint({ origin, size: row.tree_size, root: row.root })))];
}
