/**
 * A bucket that cannot be used as it is configured. The message says what to do. It contains no key and no text from
 * the server.
 */
export class BucketRefusedError extends Error {
  override readonly name = 'BucketRefusedError';
}
