export * from './commit.ts';
export * from './core-hash.ts';
export * from './entry-text.ts';
export { hashNamedId, type NamedIdKind } from './hash-named-id.ts';
export * from './item-hash.ts';
export { hashSegment, hashSegmentText, SEGMENT_SALT_BYTES, type SegmentIdentity } from './segment-hash.ts';
export { growSegmentTree, rootOfSegments, type SegmentTree } from './segment-tree.ts';
export { SegmentError, verifySegment, type ShownSegment } from './verify-segment.ts';
