import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a file that is not whole yet ends with. */
export const PART = '.part';

/** Writes a file that is on the disk, whole, when this returns. What was there before stays until then. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomUUID()}${PART}`;
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes what was renamed in a folder durable. Windows cannot open a folder, and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
