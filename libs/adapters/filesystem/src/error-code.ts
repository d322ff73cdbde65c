/** The code of a system call's error, such as `ENOENT`; undefined for errors of another kind. By shape: an error may be of another realm. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
