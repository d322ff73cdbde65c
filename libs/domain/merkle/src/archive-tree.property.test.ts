import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sha256, sha512 } from '@answer-evidence/digest';
import { concatBytes, formatHex } from '@answer-evidence/encoding';
import { buildArchiveTree, findArchivePath, rootOfArchivePath } from './archive-tree.ts';

const ofLength = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hashesAndAnother = fc
  .constantFrom(32, 64)
  .chain((length) =>
    fc.tuple(fc.uniqueArray(ofLength(length), { minLength: 1, maxLength: 40, selector: formatHex }), ofLength(length)),
  );

describe('a hash tree of RFC 4998', () => {
  it('gives each hash a path to its root, in whatever order the hashes come, and no other hash', () => {
    fc.assert(
      fc.property(hashesAndAnother, ([leaves, other]) => {
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

  it('is of SHA-512 over hashes of SHA-512, and hashes one that is alone', () => {
    const [a, b] = [sha512(Uint8Array.of(1)), sha512(Uint8Array.of(2))];
    const inOrder = [a, b].sort((one, two) => (formatHex(one) < formatHex(two) ? -1 : 1));
    expect(buildArchiveTree([a, b]).root).toEqual(sha512(concatBytes(...inOrder)));
    expect(buildArchiveTree([a]).root).toEqual(sha512(a));
  });
});
