import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadTlog } from '@answer-evidence/verify';

/** Reads a copy of a log in a folder, which has `tile/` in it. Rejects where a file is there and cannot be read. */
export function readLogIn(folder: string): ReadTlog {
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
