import { assertHash, assertSize, equalHashes, nodeHash } from './hashes.ts';
import { MerkleError } from './merkle-error.ts';

/** The root that the proof leads to from the leaf at `index` (RFC 9162, 2.1.3.2). Throws `MerkleError`. */
export function rootFromInclusion(
  index: number,
  size: number,
  leaf: Uint8Array,
  proof: readonly Uint8Array[],
): Uint8Array {
  assertSize(index);
  assertSize(size);
  assertHash(leaf);
  proof.forEach(assertHash);
  if (index >= size) throw new MerkleError('the leaf is outside of the tree');
  let node = index;
  let last = size - 1;
  let root = leaf;
  for (const sibling of proof) {
    if (last === 0) throw new MerkleError('the proof is too long');
    if (node % 2 === 1 || node === last) {
      root = nodeHash(sibling, root);
      // A last node without a right sibling was promoted: go up to where it is a right child.
      while (node % 2 === 0 && node !== 0) {
        node = node / 2;
        last = Math.floor(last / 2);
      }
    } else {
      root = nodeHash(root, sibling);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  if (last !== 0) throw new MerkleError('the proof is too short');
  return root;
}

/** Verifies that the leaf hash is at `index` of the tree with this size and root. Throws `MerkleError`. */
export function verifyInclusion(
  index: number,
  size: number,
  leaf: Uint8Array,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): void {
  assertHash(root);
  if (!equalHashes(rootFromInclusion(index, size, leaf, proof), root)) {
    throw new MerkleError('the proof leads to another root');
  }
}
