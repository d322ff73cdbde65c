/** Text or a value that is not in the one accepted form; the message never quotes it. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}
