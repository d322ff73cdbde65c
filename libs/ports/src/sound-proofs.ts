import { formatEntry } from '@answer-evidence/commitments';
import { EncodingError, equalBytes, utf8 } from '@answer-evidence/encoding';
import { type NodeReader, readConsistencyProof, readInclusionProofs, readRoot } from '@answer-evidence/ledger';
import { leafHash, MerkleError, verifyConsistency, verifyInclusion } from '@answer-evidence/merkle';
import type { LeafRow } from '@answer-evidence/tables';
import { StoredDamageError } from './stored-damage.ts';

/** A tree of a log. */
export type Tree = { readonly size: number; readonly root: Uint8Array };

type Proof = readonly Uint8Array[];

/**
 * The inclusion proofs of leaves in a tree of their log, for somebody else to verify: each leads from the entry to the
 * root before it is handed out. Throws `StoredDamageError` where a hash or a leaf was altered, cut or lost.
 */
export function proveLeaves(nodes: NodeReader, leaves: readonly LeafRow[], tree: Tree): Promise<readonly Proof[]> {
  return orDamage(async () => {
    const indexes = leaves.map(({ leaf_index: index }) => index);
    const proofs = await readInclusionProofs(nodes, indexes, tree.size);
    for (const [n, leaf] of leaves.entries())
      verifyInclusion(leaf.leaf_index, tree.size, leafHash(utf8(formatEntry(leaf))), proofs[n] ?? [], tree.root);
    return proofs;
  });
}

/**
 * The proof that a tree begins with an earlier one of at least one leaf, in the same way. Without a root of the earlier
 * one, it is that of the stored hashes.
 */
export function proveGrowth(nodes: NodeReader, from: Pick<Tree, 'size'> & Partial<Tree>, to: Tree): Promise<Proof> {
  return orDamage(async () => {
    const proof = await readConsistencyProof(nodes, from.size, to.size);
    verifyConsistency(from.size, to.size, from.root ?? (await readRoot(nodes, from.size)), to.root, proof);
    return proof;
  });
}

/**
 * Whether a tree begins with an earlier one that somebody has seen. Its own beginning of that size is proved first:
 * hashes that do not lead to the tree are no other history, but were altered, cut or lost. Throws `StoredDamageError`.
 */
export function beginsWith(nodes: NodeReader, earlier: Tree, tree: Tree): Promise<boolean> {
  return orDamage(async () => {
    const root = await readRoot(nodes, earlier.size);
    if (earlier.size > 0) await proveGrowth(nodes, { size: earlier.size, root }, tree);
    return equalBytes(root, earlier.root);
  });
}

async function orDamage<T>(prove: () => Promise<T>): Promise<T> {
  try {
    return await prove();
  } catch (error) {
    if (error instanceof MerkleError || error instanceof EncodingError)
      throw new StoredDamageError('a proof from the log does not lead to its root', { cause: error });
    throw error;
  }
}
