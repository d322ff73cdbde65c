import { assertHash, assertSize, equalHashes, nodeHash } from './hashes.ts';
import { MerkleError } from './merkle-error.ts';

/**
 * Verifies that the tree of `size2` leaves begins with the tree of `size1` leaves (RFC 9162 section 2.1.4.2). Size 0
 * is refused: every tree begins with the empty one, so there is nothing that a proof of it would say. Throws
 * `MerkleError`.
 */
export function verifyConsistency(
  size1: number,
  size2: number,
  root1: Uint8Array,
  root2: Uint8Array,
  proof: readonly Uint8Array[],
): void {
  assertSize(size1);
  assertSize(size2);
  [root1, root2, ...proof].forEach(assertHash);
  if (size1 === 0) throw new MerkleError('consistency with the empty tree needs no proof');
  if (size1 > size2) throw new MerkleError('the first tree is larger than the second');
  if (size1 === size2) {
    if (proof.length > 0) throw new MerkleError('a proof between trees of one size must be empty');
    if (!equalHashes(root1, root2)) throw new MerkleError('two roots for one size');
    return;
  }

  let node = size1 - 1;
  let last = size2 - 1;
  while (node % 2 === 1) {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  // `node` is now 0 when size1 is a power of two: the first tree is a node of the second, and the proof leaves it out.
  const [seed, ...path] = node === 0 ? [root1, ...proof] : proof;
  if (seed === undefined) throw new MerkleError('the proof is too short');
  let first = seed;
  let second = seed;
  for (const sibling of path) {
    if (last === 0) throw new MerkleError('the proof is too long');
    if (node % 2 === 1 || node === last) {
      first = nodeHash(sibling, first);
      second = nodeHash(sibling, second);
      while (node % 2 === 0 && node !== 0) {
        node = node / 2;
        last = Math.floor(last / 2);
      }
    } else {
      second = nodeHash(second, sibling);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  if (last !== 0) throw new MerkleError('the proof is too short');
  if (!equalHashes(first, root1)) throw new MerkleError('the proof leads to another first root');
  if (!equalHashes(second, root2)) throw new MerkleError('the proof leads to another second root');
}
