import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from './error-code.ts';
import { syncDirectory } from './write-file-atomically.ts';

/** Makes a directory and its missing parents durably, each with exactly `mode`. An existing one keeps its mode. */
export async function createDirectory(directory: string, mode: number): Promise<void> {
  for (const made of (await makeMissing(resolve(directory), mode)).toReversed()) {
    await chmod(made, mode);
    await syncDirectory(dirname(made));
  }
}

/** What was made, outermost first. Node's own recursion never ends where nothing can be made, as below /proc. */
async function makeMissing(path: string, mode: number): Promise<readonly string[]> {
  try {
    await mkdir(path, mode);
    return [path];
  } catch (error) {
    if (await isDirectory(path)) return [];
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const parents = await makeMissing(dirname(path), mode);
  try {
    await mkdir(path, mode);
    return [...parents, path];
  } catch (error) {
    // Another process made it meanwhile.
    if (errorCode(error) === 'EEXIST' && (await isDirectory(path))) return parents;
    throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
