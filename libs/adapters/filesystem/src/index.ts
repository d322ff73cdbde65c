export { assertWritableDirectory } from './assert-writable-directory.ts';
export { openFileAnchor } from './file-anchor.ts';
export { findMount, type Mount } from './find-mount.ts';
export { openHeadFiles } from './head-files.ts';
export { openFileObjects } from './objects.ts';
export { readSpace, type Space } from './read-space.ts';
export { findSecretFile, readOrCreateSecretFile } from './secret-file.ts';
export { openWitnessedCheckpoints, WitnessedCheckpointError } from './witnessed-checkpoints.ts';
export { syncDirectory, writeFileAtomically } from './write-file-atomically.ts';
