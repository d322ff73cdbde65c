import { frontierRoot } from './frontier.ts';
import { assertHash, assertSize } from './hashes.ts';
import { MerkleError } from './merkle-error.ts';

/** The root of the perfect subtree over the leaves [index * 2^level, (index + 1) * 2^level). */
export type NodeId = { readonly level: number; readonly index: number };

/**
 * The stored nodes that a proof or a root needs, all of them perfect subtrees. `fold` takes their hashes in the order
 * of `nodes` and returns the hashes of the proof, or the one root.
 */
export type NodePlan = {
  readonly nodes: readonly NodeId[];
  readonly fold: (hashes: readonly Uint8Array[]) => Uint8Array[];
};

/** Leaves [begin, end), where `begin` is a multiple of a power of two that is at least `end - begin`. */
type Range = { readonly begin: number; readonly end: number };

/** The inclusion proof of the leaf at `index` in the tree of `size` leaves (RFC 9162 section 2.1.3.1). */
export function planInclusion(index: number, size: number): NodePlan {
  assertSize(index);
  assertSize(size);
  if (index >= size) throw new MerkleError('the leaf is outside of the tree');
  const ranges: Range[] = [];
  let node = index;
  for (let width = 1; width < size; width *= 2) {
    const sibling = node % 2 === 0 ? node + 1 : node - 1;
    const begin = sibling * width;
    if (begin < size) ranges.push({ begin, end: Math.min(begin + width, size) });
    node = Math.floor(node / 2);
  }
  return createPlan(ranges);
}

/** The consistency proof between two sizes (RFC 9162 section 2.1.4.1). Size 0 is refused, as by the verifier. */
export function planConsistency(size1: number, size2: number): NodePlan {
  assertSize(size1);
  assertSize(size2);
  if (size1 === 0) throw new MerkleError('consistency with the empty tree needs no proof');
  if (size1 > size2) throw new MerkleError('the first tree is larger than the second');
  const ranges: Range[] = [];
  let begin = 0;
  let end = size2;
  // Down to the subtree that ends where the first tree does, keeping what lies beside the path.
  while (end !== size1) {
    const middle = begin + largestPowerBelow(end - begin);
    if (size1 <= middle) {
      ranges.push({ begin: middle, end });
      end = middle;
    } else {
      ranges.push({ begin, end: middle });
      begin = middle;
    }
  }
  // A verifier has that subtree already when it is the whole first tree.
  if (begin !== 0) ranges.push({ begin, end });
  return createPlan(ranges.reverse());
}

/** The root of the tree of `size` leaves; `fold` returns it alone in a list. */
export function planRoot(size: number): NodePlan {
  assertSize(size);
  return createPlan([{ begin: 0, end: size }]);
}

function createPlan(ranges: readonly Range[]): NodePlan {
  const groups = ranges.map(listPerfectSubtrees);
  const nodes = groups.flat();
  const fold = (hashes: readonly Uint8Array[]): Uint8Array[] => {
    if (hashes.length !== nodes.length) throw new MerkleError('not one hash for each planned node');
    hashes.forEach(assertHash);
    let at = 0;
    return groups.map((group) => frontierRoot(hashes.slice(at, (at += group.length))));
  };
  return { nodes, fold };
}

/** Largest first, as in a frontier. */
function listPerfectSubtrees({ begin, end }: Range): NodeId[] {
  const subtrees: NodeId[] = [];
  let level = 0;
  let width = 1;
  while (width * 2 <= end - begin) {
    width *= 2;
    level++;
  }
  for (let at = begin; at < end; width /= 2, level--) {
    if (at + width > end) continue;
    subtrees.push({ level, index: at / width });
    at += width;
  }
  return subtrees;
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
