/** Stored data that the service cannot have written: a row is missing that others need, or a value is out of range. */
export class StoredDamageError extends Error {
  override readonly name = 'StoredDamageError';
}
