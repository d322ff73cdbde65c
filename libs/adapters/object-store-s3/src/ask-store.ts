import { ServiceError } from '@answer-evidence/contracts';

/** The code of an S3 error, such as `NoSuchKey`, or of a system's, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Whether a server says that an object is not there. To HEAD it says so without a body, and the client makes up the
 * second code.
 */
export function saysMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NoSuchKey' || code === 'NotFound';
}

/**
 * What is thrown for whatever the store or the way to it fails with. The cause stays with the error; callers are told
 * nothing of it.
 */
export function unavailable(cause: unknown): ServiceError {
  return new ServiceError('object_store_unavailable', 'the object store is unavailable', {
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
