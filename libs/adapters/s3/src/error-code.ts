/** The code of an S3 error, such as `NoSuchKey`, or of a system's, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a server says that an object is missing. HEAD has no body, so the client makes up the second code. */
export function saysMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NoSuchKey' || code === 'NotFound';
}
