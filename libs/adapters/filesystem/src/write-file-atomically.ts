import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file so that a reader, and a crash, sees the old or the new content whole. Durable when it returns. */
export async function writeFileAtomically(path: string, text: string, mode: number): Promise<void> {
  const draft = await createDraft(path, text, mode);
  try {
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Writes a durable file of exactly `mode` beside `path` under a random name (process ids repeat), and returns it. */
export async function createDraft(path: string, text: string, mode: number): Promise<string> {
  const draft = `${path}.${crypto.randomUUID()}.draft`;
  const file = await open(draft, 'wx', mode);
  try {
    // `open` takes the umask away from the mode.
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

/** Makes a rename or a new file in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
