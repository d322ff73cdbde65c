import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  appendLeaves,
  leafHash,
  parseTilePath,
  TILE_WIDTH,
  verifyConsistency,
  verifyInclusion,
} from '@answer-evidence/merkle';
import { compareTrees } from './compare-trees.ts';
import { createTileTree } from './tile-proofs.ts';
import { CheckFailure } from './verdict.ts';

const LEAVES_MAX = 70_000;
const leaves = Array.from({ length: LEAVES_MAX }, (_, index) => leafHash(`leaf ${index}`));
/** Hashes of each level of tiles. */
const levels = [leaves];
for (let below = leaves; below.length >= TILE_WIDTH;) {
  const above = Array.from({ length: Math.floor(below.length / TILE_WIDTH) }, (_, index) => {
    return appendLeaves(0, [], below.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH)).root;
  });
  levels.push(above);
  below = above;
}

/** The log at this size; only full tiles when it is a mirror that has grown. */
function readAt(size: number, isMirror = false) {
  return (path: string) => {
    const { level, index, width } = parseTilePath(path);
    if (level === 'entries' || (isMirror && width < TILE_WIDTH)) return Promise.resolve(undefined);
    const hashes = levels[level]?.slice(index * TILE_WIDTH, index * TILE_WIDTH + width) ?? [];
    const isThere = hashes.length === width && (index * TILE_WIDTH + width) * TILE_WIDTH ** level <= size;
    return Promise.resolve(isThere ? new Uint8Array(Buffer.concat(hashes)) : undefined);
  };
}

const sizes = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 65_400, max: LEAVES_MAX }));
const root = (size: number) => createTileTree(readAt(size), size).rootAt(size);
const checkpoint = async (size: number) => ({ origin: 'log', size, root: await root(size) });

describe('a tree out of tiles', () => {
  it('has the root of its leaves', async () => {
    for (const size of [1, 255, 256, 257, 511, 600]) {
      let tree: { size: number; frontier: readonly Uint8Array[]; root: Uint8Array } = {
        size: 0,
        frontier: [],
        root: leafHash(''),
      };
      for (let at = 0; at < size; at += TILE_WIDTH)
        tree = appendLeaves(at, tree.frontier, leaves.slice(at, Math.min(size, at + TILE_WIDTH)));
      expect(await root(size)).toEqual(tree.root);
    }
  });

  it('proves every leaf and every smaller tree, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, a, b) => {
        const tree = createTileTree(readAt(size), size);
        const index = a % size;
        const { hash, proof } = await tree.leafAt(index);
        expect(hash).toEqual(leaves[index]);
        verifyInclusion(index, size, hash, proof, await root(size));
        const smaller = 1 + (b % size);
        verifyConsistency(smaller, size, await root(smaller), await root(size), await tree.consistencyFrom(smaller));

        const [older, newer] = [await checkpoint(smaller), await checkpoint(size)];
        expect(await compareTrees(older, newer, tree)).toEqual({ kind: 'one-history' });
        const other = { ...older, root: leafHash('another') };
        expect((await compareTrees(other, newer, tree)).kind).toBe('fork');
        // Tiles that do not lead to the larger root prove nothing against the log.
        if (smaller < size)
          await expect(compareTrees(older, { ...newer, root: leafHash('another') }, tree)).rejects.toThrow(
            CheckFailure,
          );
      }),
      { numRuns: 40 },
    );
  });

  it('is read from a mirror that has grown, and names the tile that is missing', async () => {
    const grown = createTileTree(readAt(65_536, true), 300);
    expect(await grown.rootAt(300)).toEqual(await root(300));
    await expect(createTileTree(readAt(299), 300).rootAt(300)).rejects.toThrow('the log lacks tile/0/001.p/44');
  });
});
