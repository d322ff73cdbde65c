import { ServiceError } from '@answer-evidence/contracts';
import { StoredDamageError } from '@answer-evidence/ports';

/** What is read. Throws what `namedDamage` makes of an error. */
export async function nameDamage<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw namedDamage(error);
  }
}

/** For damaged rows, `content_damaged` that says what they are: a retry does not fix them. Others as they are. */
export function namedDamage(error: unknown): unknown {
  if (!(error instanceof StoredDamageError)) return error;
  const detail = `${error.message}; run a ledger check, which lists all damage`;
  return new ServiceError('content_damaged', detail, { remedy: 'give-up', cause: error });
}
