import { StartError } from './start-error.ts';

const DENIALS: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST']);
const SHORTAGES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** What the operating system refused of a file, as a sentence that says what to do; other errors as they are. */
export function fileStartError(error: unknown): unknown {
  // By shape: an error may be of another realm.
  if (error instanceof StartError || typeof error !== 'object' || error === null || !('code' in error)) return error;
  // A write to a file that is open names none.
  const file = 'path' in error && typeof error.path === 'string' ? error.path : 'a file of the data folder';
  if (SHORTAGES.has(error.code))
    return new StartError(`there is no space for ${file} (${String(error.code)}); free space on its disk`, {
      cause: error,
    });
  if (DENIALS.has(error.code) && 'path' in error)
    return new StartError(
      `${file} cannot be used (${String(error.code)}); give the user who runs the service read and write access`,
      { cause: error },
    );
  return error;
}
