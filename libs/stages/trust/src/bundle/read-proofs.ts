import { type NodeReader, readInclusionProofs } from '@answer-evidence/ledger';
import { proveLeaves, type Tree } from '@answer-evidence/ports';
import type { LeafRow } from '@answer-evidence/tables';
import { readOr } from './damage.ts';

/** The inclusion proofs of leaves in a tree of their log, in the order of the leaves. */
export type ReadProofs = (leaves: readonly LeafRow[], tree: Tree) => Promise<readonly (readonly Uint8Array[])[]>;

/** For what leaves the service: throws `StoredDamageError` rather than give somebody a proof that does not hold. */
export function soundProofs(nodes: NodeReader): ReadProofs {
  return (leaves, tree) => proveLeaves(nodes, leaves, tree);
}

/** For our own verifier, which says what is wrong with them: as they are stored, and empty where none can be read. */
export function storedProofs(nodes: NodeReader): ReadProofs {
  return (leaves, { size }) =>
    readOr(
      () =>
        readInclusionProofs(
          nodes,
          leaves.map(({ leaf_index: index }) => index),
          size,
        ),
      leaves.map(() => []),
    );
}
