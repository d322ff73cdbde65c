import { MerkleError, verifyInclusion } from '@answer-evidence/merkle';
import { hashSegmentText, type SegmentIdentity, segmentLeaf } from './segment-hash.ts';

/** A segment as it is shown to a verifier. `text` and `salt` are null where it is gone, or is not text. */
export type ShownSegment = SegmentIdentity & {
  readonly index: number;
  /** Inclusion proof in the tree of the asset's segments, from the leaf up. */
  readonly proof: readonly Uint8Array[];
  readonly salt: string | null;
  readonly text: string | null;
};

/** A segment that is not the one its asset was registered with. */
export class SegmentError extends Error {
  override readonly name = 'SegmentError';
}

/**
 * Verifies that the segment is at its index in the asset of `count` segments with this root, and that the text that it
 * shows, if any, is the one committed to. One that shows nothing is verified too: a tombstone stands exactly where the
 * segment stood. Throws `SegmentError`.
 */
export function verifySegment(segment: ShownSegment, count: number, root: Uint8Array): void {
  const { index, proof, salt, text } = segment;
  try {
    verifyInclusion(index, count, segmentLeaf(segment), proof, root);
  } catch (error) {
    if (!(error instanceof MerkleError)) throw error;
    throw new SegmentError(`segment ${index + 1} is not in the asset: ${error.reason}`);
  }
  if (text === null) return;
  if (salt === null) throw new SegmentError(`segment ${index + 1} is shown without its salt`);
  if (hashSegmentText(salt, text) !== segment.hash)
    throw new SegmentError(`segment ${index + 1} does not match its commitment`);
}
