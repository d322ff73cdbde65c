import { assertHash, assertSize, nodeHash } from './hashes.ts';
import { MerkleError } from './merkle-error.ts';
import type { NodeId } from './plan-proof.ts';

/** Levels of the tree that one tile covers (C2SP tlog-tiles). */
export const TILE_HEIGHT = 8;

/** Hashes in a full tile. */
export const TILE_WIDTH = 256;

/** A run of hashes inside one tile: `hashes` of them from position `firstHash` on. */
export type TileRange = {
  readonly level: number;
  readonly index: number;
  readonly firstHash: number;
  readonly hashes: number;
};

/** Where the node is in the tiles: folding the named hashes with `nodeFromTile` gives it. */
export function tileOf(node: NodeId): TileRange {
  assertSize(node.level);
  assertSize(node.index);
  const hashes = 2 ** (node.level % TILE_HEIGHT);
  const first = node.index * hashes;
  assertSize(first);
  return {
    level: Math.floor(node.level / TILE_HEIGHT),
    index: Math.floor(first / TILE_WIDTH),
    firstHash: first % TILE_WIDTH,
    hashes,
  };
}

/** The node above a run of hashes of one level, whose number must be a power of two. */
export function nodeFromTile(hashes: readonly Uint8Array[]): Uint8Array {
  hashes.forEach(assertHash);
  let nodes = hashes;
  while (nodes.length > 1 && nodes.length % 2 === 0) {
    const parents: Uint8Array[] = [];
    for (let i = 0; i < nodes.length; i += 2) {
      const left = nodes[i];
      const right = nodes[i + 1];
      if (left !== undefined && right !== undefined) parents.push(nodeHash(left, right));
    }
    nodes = parents;
  }
  const [node, ...rest] = nodes;
  if (node === undefined || rest.length > 0) throw new MerkleError('the hashes are not a power of two in number');
  return node;
}
