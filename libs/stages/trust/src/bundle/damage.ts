import { EncodingError, JsonError } from '@answer-evidence/encoding';
import { MerkleError } from '@answer-evidence/merkle';
import { StoredDamageError } from '@answer-evidence/ports';

/** Whether reading failed because of what is stored, and not because the database did not answer. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof StoredDamageError ||
    error instanceof MerkleError ||
    error instanceof EncodingError ||
    error instanceof JsonError
  );
}

/** What is read, or `otherwise` for damage, which the verifier names. Other failures are thrown. */
export async function readOr<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isDamage(error)) return otherwise;
    throw error;
  }
}
