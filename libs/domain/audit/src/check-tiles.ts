import { equalBytes } from '@answer-evidence/encoding';
import { nodeFromTile, TILE_WIDTH } from '@answer-evidence/merkle';
import type { TileRow } from '@answer-evidence/tables';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import type { Findings } from './findings.ts';
import type { LogReader } from './ledger-reader.ts';
import type { TreeBuilder } from './tree-builder.ts';

const HASH_BYTES = 32;

/** Every tile that became full while the tree was built is stored once, with hashes and root, and no other is. */
export async function checkTiles(reader: LogReader, tree: TreeBuilder, findings: Findings): Promise<void> {
  const next = tree.tileRoots.map((_, level) => tree.firstTile(level));
  await findings.guard({ check: 'tile', object: 'tiles', leafIndex: null }, async () => {
    for await (const batch of reader.tiles((level) => tree.firstTile(level))) {
      for (const tile of batch) await findings.guard(placeOf(tile.level, tile.tile_index), () => take(tile));
    }
  });
  tree.tileRoots.forEach((roots, level) => {
    for (let index = next[level] ?? 0; index < tree.firstTile(level) + roots.length; index++) {
      findings.add(placeOf(level, index), 'it is missing');
    }
  });

  function take(tile: TileRow): void {
    const expected = tree.tileRoots[tile.level]?.[tile.tile_index - tree.firstTile(tile.level)];
    const due = next[tile.level];
    if (expected === undefined || due === undefined) throw new CheckFailure('the tree has no such full tile');
    if (tile.tile_index < due) throw new CheckFailure('it is there more than once');
    for (let missing = due; missing < tile.tile_index; missing++) {
      findings.add(placeOf(tile.level, missing), 'it is missing');
    }
    next[tile.level] = tile.tile_index + 1;
    if (!equalBytes(tile.root, expected)) throw new CheckFailure('its root does not match the leaves below it');
    // Hashes that fold to the right root are the right hashes: another set would be a collision of SHA-256.
    if (!equalBytes(nodeFromTile(splitHashes(tile.hashes)), expected)) {
      throw new CheckFailure('its hashes do not match the leaves below it');
    }
  }
}

function splitHashes(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes.length !== TILE_WIDTH * HASH_BYTES) throw new CheckFailure('it has not 256 hashes');
  return Array.from({ length: TILE_WIDTH }, (_, i) => bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES));
}

function placeOf(level: number, index: number) {
  const leafIndex = index * TILE_WIDTH ** (level + 1);
  return { check: 'tile', object: `tile ${level}/${index}`, leafIndex };
}
