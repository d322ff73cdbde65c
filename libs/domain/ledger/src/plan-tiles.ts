import { concatBytes } from '@answer-evidence/encoding';
import { nodeFromTile, TILE_WIDTH } from '@answer-evidence/merkle';
import type { TileRow } from '@answer-evidence/tables';

/** Reads stored hashes number `from` to below `to`: leaf hashes at level 0, roots of full tiles of n-1 at level n. */
export type ReadTileHashes = (level: number, from: number, to: number) => Promise<readonly Uint8Array[]>;

/**
 * The tiles that become full when a log grows from `oldSize` by `newLeaves`. Reads older hashes once per full tile, so
 * once per 256 leaves, and once more per 256 tiles.
 */
export async function planTiles(
  oldSize: number,
  newLeaves: readonly Uint8Array[],
  read: ReadTileHashes,
): Promise<readonly TileRow[]> {
  const tiles: TileRow[] = [];
  let level = 0;
  let from = oldSize;
  let hashes = newLeaves;
  while (hashes.length > 0) {
    const roots: Uint8Array[] = [];
    const end = from + hashes.length;
    const firstTile = Math.floor(from / TILE_WIDTH);
    for (let tile = firstTile; (tile + 1) * TILE_WIDTH <= end; tile++) {
      const start = tile * TILE_WIDTH;
      const older = start < from ? await read(level, start, from) : [];
      const newer = hashes.slice(Math.max(0, start - from), start + TILE_WIDTH - from);
      const all = [...older, ...newer];
      if (all.length !== TILE_WIDTH) throw new Error(`tile ${level}/${tile} has ${all.length} hashes`);
      const root = nodeFromTile(all);
      tiles.push({ level, tile_index: tile, root, hashes: concatBytes(...all) });
      roots.push(root);
    }
    level += 1;
    from = firstTile;
    hashes = roots;
  }
  return tiles;
}
