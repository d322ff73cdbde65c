import { type Frontier, frontierLength, frontierRoot } from './frontier.ts';
import { assertHash, assertSize, nodeHash } from './hashes.ts';
import { MerkleError } from './merkle-error.ts';

/** A tree after an append. */
export type AppendedLeaves = {
  readonly size: number;
  readonly frontier: Frontier;
  readonly root: Uint8Array;
  /** Proves the i-th new leaf, at index old size + i, in `root`. It is made anew whenever it is asked for. */
  readonly proofOf: (i: number) => readonly Uint8Array[];
};

/** The nodes of one level from an even index on; the last may be the root of a ragged (not perfect) subtree. */
type Level = { readonly start: number; readonly nodes: readonly Uint8Array[] };

/**
 * Appends leaf hashes to the tree of `size` leaves with this frontier. Hashes O(leaves + log size) nodes and reads
 * nothing else: the proofs of the new leaves need only new nodes and the old frontier.
 */
export function appendLeaves(size: number, frontier: Frontier, leaves: readonly Uint8Array[]): AppendedLeaves {
  const newSize = size + leaves.length;
  assertSize(size);
  assertSize(newSize);
  frontier.forEach(assertHash);
  leaves.forEach(assertHash);
  if (frontier.length !== frontierLength(size)) throw new MerkleError('the frontier does not match this size');
  if (leaves.length === 0) return { size, frontier, root: frontierRoot(frontier), proofOf: () => [] };

  const levels = createLevels(size, frontier, leaves);
  return {
    size: newSize,
    frontier: getFrontier(levels, newSize),
    root: getRoot(levels),
    proofOf: (i) => getSiblings(levels, size + i),
  };
}

/** From the leaves up to the root, each level holding the nodes above new leaves and the left sibling of the first. */
function createLevels(size: number, frontier: Frontier, leaves: readonly Uint8Array[]): readonly Level[] {
  const levels: Level[] = [];
  let nodes: readonly Uint8Array[] = leaves;
  let first = size;
  let edge = frontier.length;
  for (;;) {
    // An odd first index means that this bit of the old size is set: its left sibling is the subtree of that size
    // on the old frontier, from which the subtrees are taken smallest first.
    const sibling = first % 2 === 1 ? frontier[--edge] : undefined;
    const level = sibling === undefined ? { start: first, nodes } : { start: first - 1, nodes: [sibling, ...nodes] };
    levels.push(level);
    if (level.start === 0 && level.nodes.length === 1) return levels;
    nodes = foldLevel(level.nodes);
    first = level.start / 2;
  }
}

/** Joins neighbours; a last node without a right sibling is promoted, which is how RFC 9162 splits a ragged tree. */
function foldLevel(nodes: readonly Uint8Array[]): Uint8Array[] {
  const parents: Uint8Array[] = [];
  for (let i = 0; i < nodes.length; i += 2) {
    const left = nodes[i];
    const right = nodes[i + 1];
    if (left !== undefined) parents.push(right === undefined ? left : nodeHash(left, right));
  }
  return parents;
}

function getSiblings(levels: readonly Level[], leafIndex: number): readonly Uint8Array[] {
  const proof: Uint8Array[] = [];
  let index = leafIndex;
  for (const { start, nodes } of levels) {
    // `start` is even, so the neighbour in the pair differs from it by the lowest bit here too.
    const sibling = nodes[index % 2 === 0 ? index - start + 1 : index - start - 1];
    if (sibling !== undefined) proof.push(sibling);
    index = Math.floor(index / 2);
  }
  return proof;
}

function getFrontier(levels: readonly Level[], size: number): Frontier {
  const frontier: Uint8Array[] = [];
  let width = size;
  for (const { start, nodes } of levels) {
    // Bit set: the last perfect node of this level stands alone on the frontier. It is never left of `start`:
    // either a new leaf is below it, or it is the left sibling that the level was given.
    const node = width % 2 === 1 ? nodes[width - 1 - start] : undefined;
    if (node !== undefined) frontier.push(node);
    width = Math.floor(width / 2);
  }
  return frontier.reverse();
}

function getRoot(levels: readonly Level[]): Uint8Array {
  const root = levels.at(-1)?.nodes[0];
  if (root === undefined) throw new MerkleError('a tree without levels');
  return root;
}
