import { equalBytes } from '@answer-evidence/encoding';
import { EMPTY_ROOT, MerkleError, verifyConsistency } from '@answer-evidence/merkle';
import type { Checkpoint } from '@answer-evidence/note';
import type { TileTree } from './tile-proofs.ts';
import { CheckFailure } from './verdict.ts';

/** What the root of a smaller tree is inside a larger one, with the proof that leads from it to the larger root. */
export type ProvenPrefix = {
  readonly size: number;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
};

/**
 * How two trees of one log stand to each other. `prefix` of a fork is null when both are of one size: then the roots
 * alone contradict each other.
 */
export type TreeComparison =
  | { readonly kind: 'one-history' }
  | { readonly kind: 'fork'; readonly prefix: ProvenPrefix | null };

/**
 * Whether the larger tree begins with the smaller one, by the tiles of the larger one. `fork` is said only when the
 * tiles lead to the larger root, so that it can be shown to anybody; tiles that do not lead there are a `CheckFailure`.
 */
export async function compareTrees(smaller: Checkpoint, larger: Checkpoint, tiles: TileTree): Promise<TreeComparison> {
  if (smaller.size === larger.size)
    return equalBytes(smaller.root, larger.root) ? { kind: 'one-history' } : { kind: 'fork', prefix: null };
  if (smaller.size === 0) {
    if (!equalBytes(smaller.root, EMPTY_ROOT)) throw new CheckFailure('the root is not that of the empty tree');
    return { kind: 'one-history' };
  }
  const root = await tiles.rootAt(smaller.size);
  const proof = await tiles.consistencyFrom(smaller.size);
  try {
    verifyConsistency(smaller.size, larger.size, root, larger.root, proof);
  } catch (error) {
    if (!(error instanceof MerkleError)) throw error;
    throw new CheckFailure(`the tiles of the log do not produce the root of its tree of ${larger.size} leaves`);
  }
  if (equalBytes(root, smaller.root)) return { kind: 'one-history' };
  return { kind: 'fork', prefix: { size: smaller.size, root, proof } };
}
