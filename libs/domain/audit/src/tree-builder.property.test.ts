import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sha256 } from '@answer-evidence/digest';
import { planTiles } from '@answer-evidence/ledger';
import { appendLeaves } from '@answer-evidence/merkle';
import { TreeBuilder } from './tree-builder.ts';

function build(leaves: readonly Uint8Array[]): TreeBuilder {
  const tree = new TreeBuilder();
  for (const leaf of leaves) tree.append(leaf);
  return tree;
}

describe('a tree built leaf by leaf', () => {
  it('has the root and the frontier that appending at once gives, and another root for other leaves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), (size) => {
        const leaves = Array.from({ length: size }, (_, i) => sha256(`leaf ${i}`));
        const expected = appendLeaves(0, [], leaves);
        const tree = build(leaves);
        expect(tree.root()).toEqual(expected.root);
        expect(tree.frontier).toEqual(expected.frontier);
        expect(build([...leaves.slice(1), sha256('other')]).root()).not.toEqual(expected.root);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the roots of the full tiles of every level', async () => {
    const leaves = Array.from({ length: 256 * 256 + 256 + 1 }, (_, i) => sha256(`leaf ${i}`));
    const tiles = await planTiles(0, leaves, () => Promise.reject(new Error('nothing is older')));
    const tree = build(leaves);
    expect(tree.tileRoots.map((level) => level.length)).toEqual([257, 1]);
    for (const { level, tile_index: index, root } of tiles) expect(tree.tileRoots[level]?.[index]).toEqual(root);
    expect(tiles).toHaveLength(258);
  });
});
