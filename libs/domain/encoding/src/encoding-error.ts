/** Text or a value that is not in the one form a reader or writer of this package accepts; the message never quotes it. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}
