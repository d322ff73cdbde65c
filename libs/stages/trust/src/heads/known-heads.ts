import { equalBytes, formatHex } from '@answer-evidence/encoding';
import { beginsWith, HeadError, type LogSnapshot, type Workspace } from '@answer-evidence/ports';
import type { HeadDeps } from './assert-heads-hold.ts';
import { THIS_SERVICE } from './kept-claims.ts';

/** A tree of a log that this process has written or read. */
export type SeenHead = { readonly treeSize: number; readonly root: Uint8Array };

/** The largest tree of each log that a process has seen: what it knows of them beyond the heads outside. */
export class KnownHeads {
  readonly #seen = new Map<string, SeenHead>();

  find(workspaceId: string): SeenHead | undefined {
    return this.#seen.get(workspaceId);
  }

  note(workspaceId: string, head: SeenHead): void {
    const before = this.#seen.get(workspaceId);
    if (before === undefined || head.treeSize > before.treeSize) this.#seen.set(workspaceId, head);
  }

  /** The logs of which this process has seen more than it has kept. */
  unkept(keptSizes: ReadonlyMap<string, number>): readonly string[] {
    return [...this.#seen].flatMap(([id, { treeSize }]) => (treeSize > (keptSizes.get(id) ?? -1) ? [id] : []));
  }

  /**
   * Writes what was seen and is not kept beside the heads, as claims against any database that does not hold it. What
   * cannot be written for one log keeps no other from being written.
   */
  async writeDown(
    { directory, headStore }: Pick<HeadDeps, 'directory' | 'headStore'>,
    keptSizes: ReadonlyMap<string, number>,
  ): Promise<void> {
    const written = await Promise.allSettled(
      this.unkept(keptSizes).map(async (workspaceId) => {
        const seen = this.#seen.get(workspaceId);
        if (seen === undefined) return;
        const { origin } = await directory.get(workspaceId);
        const kept = await headStore.find(workspaceId);
        const rootHash = formatHex(seen.root);
        // Without any head, the log is refused in any case.
        if (kept === undefined || (kept.treeSize === seen.treeSize && kept.rootHash === rootHash)) return;
        await headStore.dispute({
          workspaceId,
          origin,
          party: THIS_SERVICE,
          treeSize: seen.treeSize,
          rootHash,
          seenAt: undefined,
          heldSize: kept.treeSize,
        });
      }),
    );
    for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** What is wrong with a tree after another one, as the rest of a sentence; a larger one is not looked into. */
export function describeStep(before: SeenHead | undefined, after: SeenHead): string | undefined {
  if (before === undefined || after.treeSize > before.treeSize) return undefined;
  if (after.treeSize < before.treeSize)
    return `went back from ${before.treeSize} to ${after.treeSize}: the database was restored`;
  return equalBytes(before.root, after.root)
    ? undefined
    : `has another head of size ${after.treeSize}: the database was restored and then written to`;
}

/** Throws `HeadError` unless a log, read later, holds the tree that this process had seen; `StoredDamageError`, too. */
export async function assertExtendsSeen(
  { slug }: Workspace,
  seen: SeenHead | undefined,
  { head, root, nodes }: LogSnapshot,
): Promise<void> {
  if (seen === undefined) return;
  const fault = describeStep(seen, { treeSize: head.tree_size, root });
  if (fault !== undefined) throw new HeadError('log_refused', `the ledger of "${slug}" ${fault}`);
  const earlier = { size: seen.treeSize, root: seen.root };
  if (!(await beginsWith(nodes, earlier, { size: head.tree_size, root })))
    throw new HeadError(
      'log_refused',
      `the ledger of "${slug}" differs from the one that this process had seen at size ${seen.treeSize}: the database ` +
        'was restored and then written to',
    );
}
