import { chown, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, findErrorCode } from './embedded-postgres-error.ts';
import type { RunAs } from './run-as.ts';

/** The files of one embedded PostgreSQL; `cluster` exists only when it is finished. */
export type DataDir = {
  readonly path: string;
  /** Names the server in its command line and those of its processes: one directory, one name. */
  readonly serverName: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly portFile: string;
};

async function createDataDir(path: string): Promise<DataDir> {
  const real = await realpath(path);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(real));
  return {
    path: real,
    serverName: `ae-${Buffer.from(digest).toString('hex', 0, 8)}`,
    cluster: join(real, 'cluster'),
    passwordFile: join(real, 'password'),
    portFile: join(real, 'port'),
  };
}

/** The data directory, created with mode 0700 where it is missing. */
export async function openDataDir(path: string): Promise<DataDir> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  return createDataDir(path);
}

/** The data directory if it exists. */
export async function findDataDir(path: string): Promise<DataDir | undefined> {
  try {
    return await createDataDir(path);
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const denials = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT']);
const shortages = new Set(['ENOSPC', 'EDQUOT']);

/** Runs work on the files of a data directory; what the operating system refuses becomes a coded error. */
export async function withDataDirErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFull = shortages.has(findErrorCode(error) ?? '');
    if (!isFull && !denials.has(findErrorCode(error) ?? '')) throw error;
    const code = isFull ? 'data_dir_full' : 'data_dir_unwritable';
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(code, `the data directory ${path} cannot be used: ${reason}`, { cause: error });
  }
}

/** Makes a name in a directory survive a power cut. */
export async function syncDir(path: string): Promise<void> {
  const dir = await open(path, 'r');
  try {
    await dir.sync();
  } finally {
    await dir.close();
  }
}

/** Replaces a small file: a reader, and a start after a power cut, sees the old text or the new one. */
export async function replaceFile(dir: DataDir, path: string, text: string, runAs: RunAs): Promise<void> {
  const draft = `${path}.draft`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (runAs.user !== undefined) await chown(draft, runAs.user.uid, runAs.user.gid);
  await rename(draft, path);
  await syncDir(dir.path);
}

/** The text of a small file, or undefined when there is none. */
export async function findText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The superuser's password of a finished cluster. */
export async function getPassword(dir: DataDir): Promise<string> {
  const password = (await findText(dir.passwordFile))?.trim();
  if (password !== undefined && /^[0-9a-f]{48}$/.test(password)) return password;
  throw new EmbeddedPostgresError('password_missing', `${dir.passwordFile} is missing or damaged`);
}

/** The superuser's URL of the service's database. */
export function formatUrl(port: number, password: string, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** The database that belongs to the service. */
export const serviceDatabase = 'answer_evidence';
