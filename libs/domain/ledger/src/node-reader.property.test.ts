import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  appendLeaves,
  frontierRoot,
  nodeHash,
  type NodeId,
  verifyConsistency,
  verifyInclusion,
} from '@answer-evidence/merkle';
import { hashOf } from '../fixtures/rows.ts';
import { readConsistencyProof, readInclusionProofs, readRoot } from './node-reader.ts';

const SIZE_MAX = 300;
const LEAVES = Array.from({ length: SIZE_MAX }, (_, n) => hashOf(`${n}`));
const LEVELS: Uint8Array[][] = [LEAVES];
for (let below = LEAVES; below.length > 1;) {
  const above: Uint8Array[] = [];
  for (let n = 0; n + 1 < below.length; n += 2)
    above.push(nodeHash(below[n] ?? new Uint8Array(), below[n + 1] ?? new Uint8Array()));
  LEVELS.push(above);
  below = above;
}

/** A reader that counts, and refuses nodes outside of the tree. */
function createReader(size: number) {
  const asked: NodeId[] = [];
  const read = (nodes: readonly NodeId[]) => {
    asked.push(...nodes);
    return Promise.resolve(
      nodes.map(({ level, index }) => {
        const hash = LEVELS[level]?.[index];
        if (hash === undefined || (index + 1) * 2 ** level > size) throw new Error('the node is not in the tree');
        return hash;
      }),
    );
  };
  return { asked, read };
}

const rootAt = (size: number): Uint8Array => frontierRoot(appendLeaves(0, [], LEAVES.slice(0, size)).frontier);
const sizes = fc.integer({ min: 1, max: SIZE_MAX });

describe('what is read from stored nodes', () => {
  it('are proofs of inclusion, one by one and together, and together no node is read twice', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.nat(SIZE_MAX - 1), { minLength: 1, maxLength: 8 }), async (size, wanted) => {
        const indexes = wanted.map((index) => index % size);
        const together = createReader(size);
        const proofs = await readInclusionProofs(together.read, indexes, size);
        const names = together.asked.map(({ level, index }) => `${level}/${index}`);
        expect(new Set(names).size).toBe(names.length);
        for (const [n, index] of indexes.entries()) {
          const proof = proofs[n] ?? [];
          expect(await readInclusionProofs(createReader(size).read, [index], size)).toEqual([proof]);
          const claim = (leaf: Uint8Array) => () => verifyInclusion(index, size, leaf, proof, rootAt(size));
          expect(claim(LEAVES[index] ?? new Uint8Array())).not.toThrow();
          expect(claim(hashOf('another'))).toThrow();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are roots of every earlier size, and proofs that the later tree extends the earlier', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, sizes, async (a, b) => {
        const [before, after] = [Math.min(a, b), Math.max(a, b)];
        const { read } = createReader(after);
        expect(await readRoot(read, before)).toEqual(rootAt(before));
        const proof = await readConsistencyProof(read, before, after);
        expect(() => verifyConsistency(before, after, rootAt(before), rootAt(after), proof)).not.toThrow();
        expect(() => verifyConsistency(before, after, hashOf('another'), rootAt(after), proof)).toThrow();
      }),
      { numRuns: 50 },
    );
  });
});
