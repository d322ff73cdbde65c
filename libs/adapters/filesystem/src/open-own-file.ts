import { constants, type FileHandle, open } from 'node:fs/promises';

/**
 * Opens a file of a folder of ours for reading, and nothing that was put in its place: a link, which could lead
 * anywhere, is refused (`ELOOP`), a pipe, which could keep its reader waiting, too (`EINVAL`).
 */
export async function openOwnFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const state = await file.stat();
    // A folder is refused as any other reader of it is.
    if (state.isFile() || state.isDirectory()) return file;
    throw Object.assign(new Error(`${path} is not a file`), { code: 'EINVAL', path });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The content of a file that `openOwnFile` opens. */
export async function readOwnFile(path: string): Promise<Uint8Array> {
  const file = await openOwnFile(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
