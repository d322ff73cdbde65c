/**
 * Stored data that the service cannot have written: a row is missing that others need, or a value is out of range. Why
 * it is a 500 and not an outage: decision 0131.
 */
export class StoredDamageError extends Error {
  override readonly name = 'StoredDamageError';
}
