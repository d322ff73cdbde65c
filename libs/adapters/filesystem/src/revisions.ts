import { link, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';
import { createDraft, syncDirectory } from './write-file-atomically.ts';

const FILE_NAME = /^(\d{16})\.json$/;
const NAME_DIGITS = 16;
/** Older files that stay beside the latest. */
const OLDER_KEPT = 32;

/** The file of a revision. */
export function revisionName(revision: number): string {
  return `${String(revision).padStart(NAME_DIGITS, '0')}.json`;
}

/** The revisions of a folder, in no order; none where there is no folder. */
export async function listRevisions(folder: string): Promise<readonly number[]> {
  return (await listNames(folder)).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []).map(Number);
}

/** The names of all files of a folder; none where there is no folder. */
export async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Stores the text as the next revision. Returns false if another process took the number first, or if the number is
 * long past and its file is deleted. The revision is durable when it returns true.
 */
export async function linkRevision(folder: string, revision: number, text: string): Promise<boolean> {
  const path = join(folder, revisionName(revision));
  const draft = await createDraft(path, text, 0o600);
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
  // Old files are deleted one by one, and never the latest 32. So if a past number is free, a higher number exists.
  const revisions = await listRevisions(folder);
  if (Math.max(...revisions) > revision) {
    await unlink(path);
    return false;
  }
  // From here on, the checkpoint is there whatever happens to this process, and to the machine.
  await syncDirectory(folder);
  const old = revisions.filter((other) => other < revision - OLDER_KEPT);
  await Promise.all(old.map((other) => unlink(join(folder, revisionName(other))).catch(() => undefined)));
  return true;
}
