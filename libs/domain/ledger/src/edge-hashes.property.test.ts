import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appendLeaves } from '@answer-evidence/merkle';
import { hashOf } from '../fixtures/rows.ts';
import { areEdgeHashes } from './edge-hashes.ts';
import { planTiles } from './plan-tiles.ts';

const LEAVES = Array.from({ length: 70_000 }, (_, n) => hashOf(`${n}`));

/** A head of so many leaves, and the hashes of each level that are in no full tile. */
async function edgeOf(treeSize: number) {
  const leaves = LEAVES.slice(0, treeSize);
  const tiles = await planTiles(0, leaves, () => Promise.resolve([]));
  const rootsAt = (level: number) => tiles.filter((tile) => tile.level === level).map(({ root }) => root);
  const levels = [leaves, rootsAt(0), rootsAt(1)].map((all) => all.slice(all.length - (all.length % 256)));
  return { head: { treeSize, frontier: appendLeaves(0, [], leaves).frontier }, levels };
}

describe('the hashes at the edge of a log', () => {
  it.each([1, 2, 255, 256, 257, 511, 600, 65_535, 65_536, 65_793, 66_050, 70_000])(
    'of %s leaves are told from any others by its frontier',
    async (treeSize) => {
      const { head, levels } = await edgeOf(treeSize);
      for (const [level, hashes] of levels.entries()) {
        expect(areEdgeHashes(head, level, hashes)).toBe(true);
        expect(areEdgeHashes(head, level, [...hashes, hashOf('more')])).toBe(false);
        if (hashes.length === 0) continue;
        expect(areEdgeHashes(head, level, hashes.slice(1))).toBe(false);
        fc.assert(
          fc.property(fc.nat(hashes.length - 1), fc.constantFrom(hashOf('other'), new Uint8Array(31)), (at, other) => {
            expect(areEdgeHashes(head, level, hashes.with(at, other))).toBe(false);
          }),
          { numRuns: 10 },
        );
      }
    },
  );
});
