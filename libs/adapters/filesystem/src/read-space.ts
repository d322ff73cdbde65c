import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from './error-code.ts';

/** The room on the file system of a folder. */
export type Space = {
  /** The same number for all folders on one file system. */
  readonly fileSystem: number;
  /** What a process without privileges may still use. */
  readonly freeBytes: number;
  /** 0 where the file system does not tell. */
  readonly sizeBytes: number;
};

/** Asks for the room where a folder is, or will be made. It may never answer: a network file system can hang. */
export async function readSpace(folder: string): Promise<Space> {
  const path = resolve(folder);
  try {
    const { bsize, bavail, blocks } = await statfs(path);
    const { dev } = await stat(path);
    return { fileSystem: dev, freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return readSpace(dirname(path));
  }
}
