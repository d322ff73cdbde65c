import { equalBytes } from '@answer-evidence/encoding';
import type { CheckpointContext } from './checkpoint-context.ts';
import { checkWitnesses } from './checks/anchoring.ts';
import type { GivenTree } from './given-tree.ts';
import { CheckFailure } from './verdict.ts';

/** Whether a tree begins with another one of its log; `unknown` where nothing at hand shows it. */
export type Relation = 'continues' | 'contradicts' | 'unknown';

/**
 * Compares the tree of a checkpoint with one that is not larger: by their roots, by the log, or because a quorum of the
 * same witnesses attested both, each of which saw that one continues the other.
 */
export async function compareWith(context: CheckpointContext, tree: GivenTree): Promise<Relation> {
  const { checkpoint } = context.readCheckpoint();
  const root = tree.size === checkpoint.size ? checkpoint.root : await findRoot(context, tree.size);
  if (root !== undefined) return equalBytes(root, tree.root) ? 'continues' : 'contradicts';
  const isAttested = tree.attested.some(({ isQuorum }) => isQuorum);
  return isAttested && (await isByQuorum(context)) ? 'continues' : 'unknown';
}

/** A log that does not lead to the checkpoint fails the checks that read it, and says nothing of other trees. */
async function findRoot({ options: { log } }: CheckpointContext, size: number): Promise<Uint8Array | undefined> {
  try {
    return await log?.rootAt?.(size);
  } catch (error) {
    if (error instanceof CheckFailure) return undefined;
    throw error;
  }
}

async function isByQuorum(context: CheckpointContext): Promise<boolean> {
  try {
    return (await checkWitnesses(context)).outcome === 'PASS';
  } catch {
    // The FAIL of `witness_cosignatures` says so.
    return false;
  }
}
