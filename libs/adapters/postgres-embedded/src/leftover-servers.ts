import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataDir } from './data-dir.ts';
import { EmbeddedPostgresError, findErrorCode } from './embedded-postgres-error.ts';
import { type ListedProcess, listProcesses } from './process-table.ts';
import { untilNoPulse } from './server-pulse.ts';

/** Whether a command line is that of this server's postmaster. */
function isPostmasterOf(serverName: string, command: string): boolean {
  return (
    command.startsWith('/') && command.includes('/postgres -D ') && command.includes(` cluster_name=${serverName}`)
  );
}

function isServerProcessOf(serverName: string, command: string): boolean {
  return command.startsWith(`postgres: ${serverName}: `) || isPostmasterOf(serverName, command);
}

/** Sends a signal; a process that has ended in the meantime is no error. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (findErrorCode(error) !== 'ESRCH') throw error;
  }
}

/**
 * Ends what a killed parent or a killed postmaster left running on this data directory, and removes its pid file.
 *
 * The processes are told by the server's name in their command lines and not by the pid file, whose pid may belong to
 * another program by now; PostgreSQL would take that for a running server and refuse to start. A server that only
 * another PID namespace sees is waited for, since its watchdog ends it. Removing the file is safe: the caller holds the
 * lock of the data directory, and the kernel says that no process of this server is left on this host.
 */
export async function stopLeftoverServers(dir: DataDir): Promise<void> {
  const left = (): readonly ListedProcess[] =>
    listProcesses().filter((one) => isServerProcessOf(dir.serverName, one.command));
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const;
  for (const [signal, waitMs] of steps) {
    const found = left();
    if (found.length === 0) break;
    const postmasters = found.filter((one) => isPostmasterOf(dir.serverName, one.command));
    // A living postmaster ends its own children, in order; orphans have nobody else.
    for (const { pid } of postmasters.length > 0 ? postmasters : found) sendSignal(pid, signal);
    const deadline = performance.now() + waitMs;
    while (left().length > 0 && performance.now() < deadline) await delay(10);
  }
  const stuck = left();
  if (stuck.length > 0) {
    const pids = stuck.map(({ pid }) => pid).join(', ');
    throw new EmbeddedPostgresError('start_failed', `an earlier server of ${dir.path} does not exit: process ${pids}`);
  }
  await untilNoPulse(dir);
  await rm(join(dir.cluster, 'postmaster.pid'), { force: true });
}
