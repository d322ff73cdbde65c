/**
 * A bucket that cannot be used as it is set up; the message says what to do, without a key and without words of the
 * server.
 */
export class BucketRefusedError extends Error {
  override readonly name = 'BucketRefusedError';
}
