import { appendLeaves } from '@answer-evidence/merkle';
import { type SegmentIdentity, segmentLeaf } from './segment-hash.ts';

/** The Merkle tree (RFC 9162, SHA-256) over an asset's segments, in order. `proofs[i]` proves segment i in `root`. */
export type SegmentTree = { readonly root: Uint8Array; readonly proofs: readonly (readonly Uint8Array[])[] };

/** The tree over all segments of an asset, with the inclusion proof of each. O(n log n) hashes kept, O(n) computed. */
export function growSegmentTree(segments: readonly SegmentIdentity[]): SegmentTree {
  const { root, proofOf } = appendLeaves(0, [], segments.map(segmentLeaf));
  return { root, proofs: segments.map((_, i) => proofOf(i)) };
}

/** The root of that tree, without the proofs. */
export function rootOfSegments(segments: readonly SegmentIdentity[]): Uint8Array {
  return appendLeaves(0, [], segments.map(segmentLeaf)).root;
}
