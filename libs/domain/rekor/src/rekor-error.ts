/** Keys of a log that cannot be read, or an entry that does not prove what it is kept for. */
export class RekorError extends Error {
  override readonly name = 'RekorError';
}
