/**
 * What is stored cannot be what the service has written: a row is gone that others stand on, or a value is out of its
 * range.
 */
export class StoredDamageError extends Error {
  override readonly name = 'StoredDamageError';
}
