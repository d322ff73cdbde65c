export type { Finding } from './finding.ts';
export { belongsTo, type KeptLeaf, readLeaf, type ReadLeaf } from './kept-leaves.ts';
export { LEAF_ROW_BYTES, type LeafMemory } from './leaf-memory.ts';
export { assertMonitoredLog, readVerified } from './signed-checkpoint.ts';
export { findStall, watchLog, type Watched, type WatchOptions } from './watch-log.ts';
