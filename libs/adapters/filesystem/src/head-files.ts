import { link, readdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { HeadFiles } from '@answer-evidence/ports';
import { createDirectory } from './create-directory.ts';
import { errorCode } from './error-code.ts';
import { readOwnFile } from './open-own-file.ts';
import { createDraft, syncDirectory } from './write-file-atomically.ts';

/** Heads as files of a folder that only the service can read. Processes of several machines may share it. */
export async function openHeadFiles(directory: string): Promise<HeadFiles> {
  await createDirectory(directory, 0o700);
  const pathOf = (name: string): string => join(directory, name);

  async function listEntries(folder: string, isWanted: (entry: { isDirectory(): boolean }) => boolean) {
    try {
      const entries = await readdir(pathOf(folder), { withFileTypes: true });
      return entries
        .filter((entry) => isWanted(entry) && !entry.name.endsWith('.draft'))
        .map(({ name }) => name)
        .sort();
    } catch (error) {
      // The top folder was made when it was opened; without it, nothing is known of any head.
      if (errorCode(error) === 'ENOENT' && folder !== '') return [];
      throw error;
    }
  }

  return {
    place: resolve(directory),
    list: (folder) => listEntries(folder, (entry) => !entry.isDirectory()),
    folders: () => listEntries('', (entry) => entry.isDirectory()),
    async read(name) {
      try {
        return await readOwnFile(pathOf(name));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async write(name, content) {
      const path = pathOf(name);
      await createDirectory(dirname(path), 0o700);
      const draft = await createDraft(path, content, 0o600);
      try {
        await link(draft, path);
      } catch (error) {
        // The process that wrote it may have been killed before the folder was synced.
        if (errorCode(error) !== 'EEXIST') throw error;
      } finally {
        await unlink(draft);
      }
      await syncDirectory(dirname(path));
    },
    async delete(name) {
      try {
        await unlink(pathOf(name));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return;
        throw error;
      }
      const folder = dirname(pathOf(name));
      await syncDirectory(folder);
      // Nothing else is said by a folder without files, and a log always keeps its newest head.
      await rmdir(folder).catch((error: unknown) => {
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error) ?? '')) throw error;
      });
    },
  };
}
