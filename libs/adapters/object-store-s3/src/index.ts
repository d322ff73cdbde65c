export { BucketRefusedError } from './bucket-refused-error.ts';
export { type BucketOptions, openBucketObjects, type BucketObjects } from './bucket-objects.ts';
