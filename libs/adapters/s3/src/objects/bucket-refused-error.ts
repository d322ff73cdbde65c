/** A bucket that cannot be used as set up; the message says what to do, without a key or the server's words. */
export class BucketRefusedError extends Error {
  override readonly name = 'BucketRefusedError';
}
