export { type SegmentedTextKind, splitSegments } from './split-segments.ts';
