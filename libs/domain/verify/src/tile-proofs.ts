import {
  formatTilePath,
  nodeFromTile,
  type NodeId,
  type NodePlan,
  planConsistency,
  planInclusion,
  planRoot,
  TILE_WIDTH,
  tileOf,
  type TileRange,
} from '@answer-evidence/merkle';
import { HASH_BYTES, readTile, type ReadTlog } from './tlog-view.ts';
import { CheckFailure } from './verdict.ts';

/**
 * The tree of a log at one size, out of its tiles. Nothing here is verified: a proof is worth what the root says to
 * which it leads. Every method throws `CheckFailure` where a tile is missing or has the wrong length.
 */
export type TileTree = {
  /** The root of the tree of the first `size` leaves. */
  rootAt(size: number): Promise<Uint8Array>;
  /** The consistency proof from a smaller size, above 0, to the size of this tree. */
  consistencyFrom(size: number): Promise<readonly Uint8Array[]>;
  /** A leaf hash, and its inclusion proof in this tree. */
  leafAt(index: number): Promise<{ readonly hash: Uint8Array; readonly proof: readonly Uint8Array[] }>;
};

/** About 16 MiB of tiles. What is dropped is read again. */
const TILES_KEPT_MAX = 2_048;

/** The tree of the first `size` leaves. Only the tiles that a question needs are read. */
export function createTileTree(read: ReadTlog, size: number): TileTree {
  const tiles = new Map<string, Promise<Uint8Array>>();

  async function getTile(level: number, index: number): Promise<Uint8Array> {
    const width = Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH);
    const path = formatTilePath(level, index, width);
    const bytes = await readTile(read, level, index, width);
    if (bytes === undefined) throw new CheckFailure(`the log lacks ${path}`);
    if (bytes.length < width * HASH_BYTES || bytes.length % HASH_BYTES !== 0)
      throw new CheckFailure(`the log is truncated inside ${path}`);
    return bytes;
  }

  async function readNode(node: NodeId): Promise<Uint8Array> {
    const { level, index, firstHash, hashes }: TileRange = tileOf(node);
    const key = `${level}/${index}`;
    let tile = tiles.get(key);
    if (tile === undefined) {
      if (tiles.size >= TILES_KEPT_MAX) tiles.clear();
      tile = getTile(level, index);
      tiles.set(key, tile);
    }
    const bytes = await tile;
    const at = (n: number) => bytes.slice((firstHash + n) * HASH_BYTES, (firstHash + n + 1) * HASH_BYTES);
    return nodeFromTile(Array.from({ length: hashes }, (_, n) => at(n)));
  }

  async function fold({ nodes, fold }: NodePlan): Promise<readonly Uint8Array[]> {
    const hashes: Uint8Array[] = [];
    for (const node of nodes) hashes.push(await readNode(node));
    return fold(hashes);
  }

  return {
    async rootAt(size1) {
      const [root] = await fold(planRoot(size1));
      if (root === undefined) throw new CheckFailure('the tree has no root');
      return root;
    },
    consistencyFrom: (size1) => fold(planConsistency(size1, size)),
    async leafAt(index) {
      const hash = await readNode({ level: 0, index });
      return { hash, proof: await fold(planInclusion(index, size)) };
    },
  };
}
