import { UsageError } from './usage-error.ts';

/** The code of an error of the system, such as ENOENT; undefined when it has none. */
export function findErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder',
  ENOTDIR: 'part of the path is not a folder',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
};

/** What the system says about a file, in words. */
export function describeFileError(error: unknown): string {
  const code = findErrorCode(error);
  return code === undefined ? 'cannot be used' : (FILE_ERRORS[code] ?? code);
}

/** What a call about a file gives. Throws `UsageError`, which names the file, when the system refuses. */
export async function ofFile<T>(path: string, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  }
}
