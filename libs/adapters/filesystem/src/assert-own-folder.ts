import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errorCode } from './error-code.ts';

const OTHERS_WRITE = 0o002;

/**
 * Throws where a link in the directory, or in one of these folders of it, leads out of the directory: what is read
 * there, written and given to another user would be somebody else's. The error is one line that says what to do.
 */
export async function assertNoWayOut(directory: string, folders: readonly string[]): Promise<void> {
  const root = await realpath(directory);
  for (const folder of ['', ...folders])
    for (const entry of await entriesOf(join(root, folder))) {
      if (!entry.isSymbolicLink()) continue;
      const path = join(folder, entry.name);
      const target = await realpath(join(root, path)).catch(() => undefined);
      if (target?.startsWith(`${root}${sep}`) !== true)
        throw new Error(
          `${join(directory, path)} is a link that leads out of the folder; put what it leads to in its place, or mount it there`,
        );
    }
}

/** Throws where every user of the machine may write to the directory or one of these folders of it. */
export async function assertNotOpen(directory: string, folders: readonly string[]): Promise<void> {
  for (const folder of ['', ...folders]) {
    const path = join(directory, folder);
    const mode = (await stat(path).catch(ignoreMissing))?.mode ?? 0;
    if ((mode & OTHERS_WRITE) !== 0)
      throw new Error(`${path} can be written to by other users; run: chmod o-w ${path}`);
  }
}

async function entriesOf(path: string) {
  return (await readdir(path, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: unknown): undefined {
  const code = errorCode(error);
  // A file in the place of a folder is refused by what uses it.
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}
