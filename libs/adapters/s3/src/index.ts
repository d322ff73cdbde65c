export { createObjectLockAnchor, type ObjectLockDeps } from './anchor/object-lock-anchor.ts';
export type { Grant } from './create-client.ts';
export { createNamedBuckets } from './named/named-buckets.ts';
export { openBucketHeadFiles } from './heads/bucket-head-files.ts';
export { BucketRefusedError } from './objects/bucket-refused-error.ts';
export { type BucketOptions, openBucketObjects, type BucketObjects } from './objects/bucket-objects.ts';
export type { UrlStyle } from './surroundings/bucket-checks.ts';
