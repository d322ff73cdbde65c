import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  appendLeaves,
  EMPTY_ROOT,
  type Frontier,
  frontierRoot,
  leafHash,
  MerkleError,
  nodeHash,
  type NodeId,
  planConsistency,
  planInclusion,
  planRoot,
  rootFromInclusion,
  verifyConsistency,
  verifyInclusion,
} from './index.ts';

const SIZE_MAX = 600;
const LEAVES = Array.from({ length: SIZE_MAX }, (_, i) => leafHash(`leaf ${i}`));
const known = new Map<number, Uint8Array>();

/** MTH of RFC 9162 section 2.1.1, word for word: the model that everything here is compared with. */
function modelRoot(begin: number, end: number): Uint8Array {
  const size = end - begin;
  if (size === 0) return EMPTY_ROOT;
  if (size === 1) return LEAVES[begin] ?? EMPTY_ROOT;
  const key = begin * 1024 + end;
  const found = known.get(key);
  if (found !== undefined) return found;
  let k = 1;
  while (k * 2 < size) k *= 2;
  const root = nodeHash(modelRoot(begin, begin + k), modelRoot(begin + k, end));
  known.set(key, root);
  return root;
}

/** PATH of section 2.1.3.1. */
function modelPath(index: number, begin: number, end: number): Uint8Array[] {
  if (end - begin <= 1) return [];
  let k = 1;
  while (k * 2 < end - begin) k *= 2;
  return index < begin + k
    ? [...modelPath(index, begin, begin + k), modelRoot(begin + k, end)]
    : [...modelPath(index, begin + k, end), modelRoot(begin, begin + k)];
}

function getNode({ level, index }: NodeId): Uint8Array {
  const width = 2 ** level;
  if ((index + 1) * width > SIZE_MAX) throw new Error('a node that is not perfect was planned');
  return modelRoot(index * width, (index + 1) * width);
}

const altered = (hash: Uint8Array): Uint8Array => hash.map((byte, i) => (i === 31 ? byte ^ 1 : byte));
const same = (a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean =>
  a.length === b.length && a.every((hash, i) => Buffer.compare(hash, b[i] ?? EMPTY_ROOT) === 0);
const hex = (hashes: readonly Uint8Array[]): string => hashes.map((h) => Buffer.from(h).toString('hex')).join();

describe('planned proofs', () => {
  it('prove every leaf of every tree up to 600 leaves, with the path of the RFC', () => {
    for (let size = 1; size <= SIZE_MAX; size++) {
      const root = modelRoot(0, size);
      for (let index = 0; index < size; index++) {
        const plan = planInclusion(index, size);
        const proof = plan.fold(plan.nodes.map(getNode));
        if (!same(proof, modelPath(index, 0, size))) throw new Error(`path of ${index} in ${size}`);
        const leaf = LEAVES[index] ?? EMPTY_ROOT;
        if (!same([rootFromInclusion(index, size, leaf, proof)], [root]))
          throw new Error(`root of ${index} in ${size}`);
      }
      const plan = planRoot(size);
      expect(hex(plan.fold(plan.nodes.map(getNode)))).toBe(hex([root]));
    }
  });

  it('prove consistency between every two sizes up to 130, and no altered proof, root or size does', () => {
    for (let size2 = 1; size2 <= 130; size2++) {
      const root2 = modelRoot(0, size2);
      for (let size1 = 1; size1 <= size2; size1++) {
        const root1 = modelRoot(0, size1);
        const plan = planConsistency(size1, size2);
        const proof = plan.fold(plan.nodes.map(getNode));
        verifyConsistency(size1, size2, root1, root2, proof);
        // A refusal costs a hundred times a proof (its stack trace), so a quarter of the pairs is altered.
        if ((size1 * 7 + size2) % 4 !== 0 && size1 !== size2) continue;
        const at = (size1 * 31 + size2) % (proof.length + 1);
        const bad = [
          () => verifyConsistency(size1, size2, altered(root1), root2, proof),
          () => verifyConsistency(size1, size2, root1, altered(root2), proof),
          () => verifyConsistency(size1, size2, root1, root2, proof.toSpliced(at, 0, root1)),
          () => verifyConsistency(size1 === size2 ? size1 + 1 : size1 - 1, size2, root1, root2, proof),
        ];
        const sibling = proof[at];
        if (sibling !== undefined) {
          bad.push(() => verifyConsistency(size1, size2, root1, root2, proof.with(at, altered(sibling))));
          bad.push(() => verifyConsistency(size1, size2, root1, root2, proof.toSpliced(at, 1)));
        }
        for (const attempt of bad) expect(attempt).toThrow(MerkleError);
      }
    }
  });

  it('name perfect subtrees of sizes beyond 2^32, and their verifier agrees', () => {
    // In this tree the subtree of each level has one hash, so that no leaf has to be there.
    const hashes = Array.from({ length: 54 }, (_, level) => leafHash(`level ${level}`));
    const node = ({ level }: NodeId): Uint8Array => hashes[level] ?? EMPTY_ROOT;
    for (const size of [2 ** 33 + 1, 2 ** 40 + 12_345, 2 ** 52 + 2 ** 31 + 7]) {
      const plan = planInclusion(size - 1, size);
      const proof = plan.fold(plan.nodes.map(node));
      const [root] = planRoot(size).fold(planRoot(size).nodes.map(node));
      expect(rootFromInclusion(size - 1, size, hashes[0] ?? EMPTY_ROOT, proof)).toEqual(root);
      for (const { level, index } of plan.nodes) expect((index + 1) * 2 ** level).toBeLessThanOrEqual(size);
    }
  });

  it('refuse a leaf outside of the tree, a shrinking tree, the empty tree, and a missing hash', () => {
    expect(() => planInclusion(5, 5)).toThrow(MerkleError);
    expect(() => planInclusion(-1, 5)).toThrow(MerkleError);
    expect(() => planConsistency(0, 5)).toThrow(MerkleError);
    expect(() => planConsistency(6, 5)).toThrow(MerkleError);
    expect(() => planInclusion(0, 5).fold([])).toThrow(MerkleError);
    expect(() => verifyConsistency(0, 5, EMPTY_ROOT, EMPTY_ROOT, [])).toThrow(MerkleError);
    expect(planRoot(0).fold([])).toEqual([EMPTY_ROOT]);
  });
});

describe('appendLeaves', () => {
  it('proves every new leaf, whatever the batches, and no altered leaf, index, size, sibling or root does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 10 }), fc.nat(), (batches, pick) => {
        let size = 0;
        let frontier: Frontier = [];
        for (const batch of batches) {
          const leaves = LEAVES.slice(size, Math.min(size + batch, SIZE_MAX));
          const next = appendLeaves(size, frontier, leaves);
          expect(next.root).toEqual(modelRoot(0, next.size));
          expect(frontierRoot(next.frontier)).toEqual(next.root);
          leaves.forEach((leaf, i) => verifyInclusion(size + i, next.size, leaf, next.proofOf(i), next.root));
          const i = pick % Math.max(leaves.length, 1);
          const leaf = leaves[i];
          if (leaf !== undefined) expectOnlyThisProof(size + i, next.size, leaf, next.proofOf(i), pick);
          ({ size, frontier } = next);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('gives one tree for all leaves at once and one at a time', () => {
    let size = 0;
    let frontier: Frontier = [];
    for (const leaf of LEAVES) {
      const one = appendLeaves(size, frontier, [leaf]);
      expect(one.root).toEqual(modelRoot(0, size + 1));
      expect(hex(one.proofOf(0))).toBe(hex(modelPath(size, 0, size + 1)));
      ({ size, frontier } = one);
    }
    const all = appendLeaves(0, [], LEAVES);
    expect(hex(all.frontier)).toBe(hex(frontier));
    LEAVES.forEach((_, i) => expect(hex(all.proofOf(i))).toBe(hex(modelPath(i, 0, SIZE_MAX))));
  });

  it('refuses a frontier of another size, a leaf that is no hash, and a size that is not safe', () => {
    expect(() => appendLeaves(1, [], LEAVES.slice(0, 1))).toThrow(MerkleError);
    expect(() => appendLeaves(2, LEAVES.slice(0, 2), [])).toThrow(MerkleError);
    expect(() => appendLeaves(0, [], [new Uint8Array(64)])).toThrow(MerkleError);
    expect(() => appendLeaves(-1, [], [])).toThrow(MerkleError);
    expect(() => appendLeaves(2 ** 53 - 1, LEAVES.slice(0, 53), LEAVES.slice(0, 1))).toThrow(MerkleError);
  });
});

function expectOnlyThisProof(
  index: number,
  size: number,
  leaf: Uint8Array,
  proof: readonly Uint8Array[],
  pick: number,
): void {
  const root = modelRoot(0, size);
  const other = (index + 1 + (pick % size)) % size;
  if (other !== index) expect(() => verifyInclusion(other, size, leaf, proof, root)).toThrow(MerkleError);
  expect(() => verifyInclusion(size, size, leaf, proof, root)).toThrow(MerkleError);
  expect(() => verifyInclusion(index, size, altered(leaf), proof, root)).toThrow(MerkleError);
  expect(() => verifyInclusion(index, size, leaf, proof, altered(root))).toThrow(MerkleError);
  expect(() => verifyInclusion(index, size, leaf, [...proof, leaf], root)).toThrow(MerkleError);
  expect(() => verifyInclusion(index, 2 * size + 1, leaf, proof, root)).toThrow(MerkleError);
  const at = pick % Math.max(proof.length, 1);
  const sibling = proof[at];
  if (sibling === undefined) return;
  expect(() => verifyInclusion(index, size, leaf, proof.with(at, altered(sibling)), root)).toThrow(MerkleError);
  expect(() => verifyInclusion(index, size, leaf, proof.toSpliced(at, 1), root)).toThrow(MerkleError);
}
