import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadLog } from './read-log-at.ts';

/** Reads a copy of a log in a folder, which has `tile/` in it. Rejects where a file is there and cannot be read. */
export function readLogIn(folder: string): ReadLog {
  return async (path) => {
    try {
      return await readFile(join(folder, path));
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
        return undefined;
      throw error;
    }
  };
}
