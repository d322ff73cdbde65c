import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileLock } from './io.ts';

/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5;

/**
 * A lock that the kernel holds for as long as this process lives, and gives up however it ends: SQLite's exclusive lock
 * on an empty file. Undefined while another process has it; throws where the file system has no locks. The module is
 * loaded here, so that no other command needs it.
 */
export async function takeFileLock(path: string): Promise<FileLock | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === BUSY) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
