import { EMPTY_ROOT, nodeHash } from './hashes.ts';

/**
 * The frontier of a tree: the roots of the perfect subtrees into which it divides, largest first. Appending needs only
 * this and the size. It has one root for each 1 bit of the size.
 */
export type Frontier = readonly Uint8Array[];

/** The root of the tree (RFC 9162 section 2.1.1), folded from its frontier. */
export function frontierRoot(frontier: Frontier): Uint8Array {
  let root = frontier.at(-1) ?? EMPTY_ROOT;
  for (let i = frontier.length - 2; i >= 0; i--) root = nodeHash(frontier[i] ?? EMPTY_ROOT, root);
  return root;
}

/** How many subtrees the frontier of a tree of this size has. */
export function frontierLength(size: number): number {
  let ones = 0;
  // Not `>>`: it would cut the size to 32 bits.
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}
