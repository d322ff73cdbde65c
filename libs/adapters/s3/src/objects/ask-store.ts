import { ServiceError } from '@answer-evidence/contracts';

/** What is thrown for every failure of the store or of the way to it; callers are told nothing of the cause. */
export function unavailable(cause: unknown): ServiceError {
  return new ServiceError('object_store_unavailable', 'the object store is unavailable; retry the same request', {
    remedy: 'retry',
    cause,
  });
}

/** Runs one call of the client. */
export async function askStore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw unavailable(error);
  }
}
