export { createObjectLockAnchor, type ObjectLockParts } from './anchor/object-lock-anchor.ts';
export { BucketRefusedError } from './objects/bucket-refused-error.ts';
export { type BucketOptions, openBucketObjects, type BucketObjects } from './objects/bucket-objects.ts';
