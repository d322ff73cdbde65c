import { describe, expect, it } from '@jest/globals';
import { concatBytes } from '@answer-evidence/encoding';
import { nodeHash } from '@answer-evidence/merkle';
import type { TileRow } from '@answer-evidence/tables';
import { hashOf } from '../fixtures/rows.ts';
import { planTiles } from './plan-tiles.ts';

const WIDTH = 256;

/** The root of a perfect subtree, pair by pair. */
function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let n = 0; n < level.length; n += 2)
      above.push(nodeHash(level[n] ?? new Uint8Array(), level[n + 1] ?? new Uint8Array()));
    level = above;
  }
  return level[0] ?? new Uint8Array();
}

/** Every full tile of a log, level by level, from all of its leaves. */
function allTiles(leaves: readonly Uint8Array[]): readonly TileRow[] {
  const tiles: TileRow[] = [];
  let hashes = leaves;
  for (let level = 0; hashes.length >= WIDTH; level++) {
    const roots: Uint8Array[] = [];
    for (let tile = 0; (tile + 1) * WIDTH <= hashes.length; tile++) {
      const part = hashes.slice(tile * WIDTH, (tile + 1) * WIDTH);
      const root = rootOf(part);
      tiles.push({ level, tile_index: tile, root, hashes: concatBytes(...part) });
      roots.push(root);
    }
    hashes = roots;
  }
  return tiles;
}

const LEAVES = Array.from({ length: 66_000 }, (_, n) => hashOf(`${n}`));

/** What is in the database at a size, and how often it was read. */
function createStore(size: number) {
  const stored = allTiles(LEAVES.slice(0, size));
  const reads: string[] = [];
  return {
    stored,
    reads,
    read(level: number, from: number, to: number) {
      reads.push(`${level}: ${from} to ${to}`);
      const hashes =
        level === 0
          ? LEAVES.slice(0, size).slice(from, to)
          : stored
              .filter((tile) => tile.level === level - 1)
              .slice(from, to)
              .map((tile) => tile.root);
      return Promise.resolve(hashes);
    },
  };
}

const name = ({ level, tile_index: index }: TileRow): string => `${level}/${index}`;

describe('the tiles that become full', () => {
  it.each([
    [0, 0],
    [0, 1],
    [0, 255],
    [0, 256],
    [0, 257],
    [1, 255],
    [255, 1],
    [255, 2],
    [255, 258],
    [256, 1],
    [256, 256],
    [200, 600],
    [511, 1],
    [512, 700],
    [65_279, 256],
    [65_280, 256],
    [65_300, 236],
    [65_535, 1],
    [65_535, 2],
    [65_536, 1],
    [65_500, 500],
  ])('from %i leaves by %i are those of a log built from the beginning', async (size, count) => {
    const { stored, read } = createStore(size);
    const added = await planTiles(size, LEAVES.slice(size, size + count), read);
    const expected = allTiles(LEAVES.slice(0, size + count)).filter(
      (tile) => !stored.some((known) => name(known) === name(tile)),
    );
    const byName = (tiles: readonly TileRow[]) => new Map(tiles.map((tile) => [name(tile), tile]));
    expect(byName(added)).toEqual(byName(expected));
    expect(added).toHaveLength(expected.length);
  });

  it('need one read of older hashes each at most, and none where the tile is new', async () => {
    const last = createStore(65_535);
    await planTiles(65_535, LEAVES.slice(65_535, 65_536), last.read);
    expect(last.reads).toEqual(['0: 65280 to 65535', '1: 0 to 255']);
    const whole = createStore(0);
    await planTiles(0, LEAVES.slice(0, 600), whole.read);
    expect(whole.reads).toEqual([]);
  });

  it('are refused when older hashes are missing', async () => {
    await expect(planTiles(255, LEAVES.slice(255, 256), () => Promise.resolve([]))).rejects.toThrow('tile 0/0');
  });
});
