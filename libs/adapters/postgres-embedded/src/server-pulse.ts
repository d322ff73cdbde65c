import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataDir } from './data-dir.ts';
import { EmbeddedPostgresError, findErrorCode } from './embedded-postgres-error.ts';
import { runAsToEnd } from './run-as.ts';

/** Longer than the watchdog takes to stop a server whose parent was killed. */
const WAIT_MS = 20_000;

/**
 * The end of a named pipe that a server holds open. Every process of the server inherits it, and the kernel closes it
 * however they end. So whether anyone reads the pipe tells whether the server lives, also from another PID or IPC
 * namespace, where neither `/proc` nor `postmaster.pid` says so.
 */
export async function openPulse(dir: DataDir): Promise<FileHandle> {
  const path = pulsePath(dir);
  try {
    return await openReader(path);
  } catch (error) {
    if (findErrorCode(error) !== 'ENOENT') throw error;
  }
  const made = await runAsToEnd({ prefix: [], owner: { uid: 0, gid: 0 } }, ['mkfifo', '-m', '600', path], '/');
  if (!made.ok) throw new EmbeddedPostgresError('lock_unsupported', `${path} cannot be made: ${made.output}`);
  return openReader(path);
}

/** Whether a process of the server of this data directory lives, in whatever namespace of this host. */
export async function hasPulse(dir: DataDir): Promise<boolean> {
  try {
    const writer = await open(pulsePath(dir), constants.O_WRONLY | constants.O_NONBLOCK);
    await writer.close();
    return true;
  } catch (error) {
    // POSIX open(): ENXIO when no process has the pipe open for reading.
    if (findErrorCode(error) === 'ENXIO' || findErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Waits until no process of the server lives. Throws `already_running` when one goes on. */
export async function untilNoPulse(dir: DataDir): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (await hasPulse(dir)) {
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        'already_running',
        `a PostgreSQL of another container runs in ${dir.path}, and nobody who started it is left`,
      );
    }
    await delay(50);
  }
}

function openReader(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK);
}

function pulsePath(dir: DataDir): string {
  return join(dir.path, 'pulse');
}
