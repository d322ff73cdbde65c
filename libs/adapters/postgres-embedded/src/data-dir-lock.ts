import { constants, rmSync } from 'node:fs';
import { access, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError, findErrorCode } from './embedded-postgres-error.ts';

/** The right of one process to run the server of a data directory. */
export type DataDirLock = { close(): void };

/** Who holds a lock, as it says of itself: for messages only, never to judge whether it lives. */
type Holder = {
  readonly pid: number;
  readonly host: string;
  /** Of this boot of the machine, and of the PID namespace; null where the system has none. */
  readonly boot_id: string | null;
  readonly pid_namespace: string | null;
};

/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5;

/**
 * Takes the lock of a data directory. Throws `already_running` while another process holds it, and `lock_unsupported`
 * where the file system has no locks; then nothing has changed on disk.
 *
 * The lock is SQLite's exclusive lock on an empty file: a POSIX record lock, which the kernel holds for as long as the
 * process lives and gives up however it ends. It counts between all processes of a host, also in other PID, IPC and
 * mount namespaces: two containers on one volume. Files with a pid, which this replaced, did not: a process of another
 * namespace looked dead, and both ran. Nothing else in this process may open the file: closing any descriptor of it
 * would give up the lock.
 */
export async function openDataDirLock(dir: string): Promise<DataDirLock> {
  const holderFile = join(dir, 'holder.json');
  // SQLite says only that it cannot open the file; the operating system says why.
  await access(dir, constants.W_OK | constants.X_OK);
  const database = takeLock(join(dir, 'lock'));
  if (database === undefined) throw new EmbeddedPostgresError('already_running', await describeHolder(dir, holderFile));
  try {
    // Made anew: what lies there may be a link.
    await rm(holderFile, { force: true });
    await writeFile(holderFile, `${JSON.stringify(await describeSelf())}\n`, { mode: 0o644, flag: 'wx' });
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    close() {
      if (!database.isOpen) return;
      // While the lock is held: afterwards the file may be the next holder's.
      rmSync(holderFile, { force: true });
      database.close();
    },
  };
}

/** The open lock, or undefined when another process has it. */
function takeLock(path: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (findSqliteCode(error) === BUSY) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError('lock_unsupported', `${path} cannot be locked: ${reason}`, { cause: error });
  }
}

function findSqliteCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

async function describeSelf(): Promise<Holder> {
  return {
    pid: process.pid,
    host: hostname(),
    boot_id: await findText('/proc/sys/kernel/random/boot_id'),
    pid_namespace: await readlink('/proc/self/ns/pid').catch(() => null),
  };
}

async function describeHolder(dir: string, holderFile: string): Promise<string> {
  const holder = await readHolder(holderFile);
  if (holder === undefined) return `the PostgreSQL in ${dir} belongs to another running process`;
  const own = await describeSelf();
  const isElsewhere = holder.pid_namespace !== own.pid_namespace || holder.boot_id !== own.boot_id;
  const where = isElsewhere ? ` of another container or machine (${holder.host})` : '';
  return `the PostgreSQL in ${dir} belongs to the running process ${holder.pid}${where}`;
}

/** What the holder wrote; undefined when it has not come to it, or the file is damaged. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    const isHolder = typeof value === 'object' && value !== null && 'pid' in value && 'host' in value;
    return isHolder ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

async function findText(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (findErrorCode(error) === undefined) throw error;
    return null;
  }
}
