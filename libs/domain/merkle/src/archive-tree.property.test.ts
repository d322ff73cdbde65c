import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sha256 } from '@answer-evidence/digest';
import { concatBytes, formatHex } from '@answer-evidence/encoding';
import { buildArchiveTree, findArchivePath, rootOfArchivePath } from './archive-tree.ts';

const hashes = fc.uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }), {
  minLength: 2,
  maxLength: 40,
  selector: formatHex,
});

describe('a hash tree of RFC 4998', () => {
  it('gives each hash a path to its root, in whatever order the hashes come, and no other hash', () => {
    fc.assert(
      fc.property(hashes, fc.uint8Array({ minLength: 32, maxLength: 32 }), (leaves, other) => {
        const tree = buildArchiveTree(leaves);
        expect(buildArchiveTree(leaves.toReversed()).root).toEqual(tree.root);
        for (const leaf of leaves) {
          const path = findArchivePath(tree, leaf) ?? [];
          expect(path[0]).toContain(leaf);
          expect(rootOfArchivePath(path)).toEqual(tree.root);
          const altered = path.map((group) => group.map((hash) => (hash === leaf ? other : hash)));
          expect(rootOfArchivePath(altered)).not.toEqual(tree.root);
        }
        expect(findArchivePath(tree, other)).toBeUndefined();
      }),
    );
  });

  it('hashes the children of a node in ascending order, without a prefix, and lets one without a neighbour rise', () => {
    const [a, b, c] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array];
    const between = sha256(concatBytes(a, b));
    const inOrder = [between, c].sort((one, two) => (formatHex(one) < formatHex(two) ? -1 : 1));
    const tree = buildArchiveTree([c, a, b]);
    expect(tree.root).toEqual(sha256(concatBytes(...inOrder)));
    expect(findArchivePath(tree, c)).toEqual([[c, between]]);
    expect(findArchivePath(tree, a)).toEqual([[a, b], [c]]);
  });
});
