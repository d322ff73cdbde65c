export { hashSegment, hashSegmentText, SEGMENT_SALT_BYTES, type SegmentIdentity } from './segment-hash.ts';
export { growSegmentTree, type SegmentTree } from './segment-tree.ts';
export { type SegmentedTextKind, splitSegments } from './split-segments.ts';
export { SegmentError, verifySegment, type ShownSegment } from './verify-segment.ts';
