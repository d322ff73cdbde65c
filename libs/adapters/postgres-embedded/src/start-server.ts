import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { readServerLog } from './read-server-log.ts';
import { dataDirArgument, type RunAs, spawnAs } from './run-as.ts';

/** How the postmaster ended. */
export type ServerExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A postmaster that this process started, ready or not. */
export type StartedServer = {
  readonly pid: number;
  readonly exited: Promise<ServerExit>;
  /** The last lines of its log, for the message of an error. */
  logTail(): string;
  /** Fast shutdown; immediate shutdown after 10 s, and SIGKILL 5 s later. */
  stop(): Promise<void>;
};

/**
 * Starts the postmaster of a cluster. It stops when this process ends, however that happens. Its processes inherit the
 * descriptor `pulseFd` and keep it open while they live.
 */
export function startServer(
  postgres: string,
  runAs: RunAs,
  cluster: string,
  settings: readonly string[],
  pulseFd: number,
  log: (line: string) => void,
): Promise<StartedServer> {
  const command = [postgres, '-D', dataDirArgument(cluster), ...settings] as const;
  const child = spawnAs(runAs, command, cluster, ['ignore', 'ignore', 'pipe', pulseFd]);
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new EmbeddedPostgresError('start_failed', `postgres cannot be started: ${error.message}`)),
    );
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve(watchServer(child, child.pid, log));
    });
  });
}

function watchServer(child: ChildProcess, pid: number, log: (line: string) => void): StartedServer {
  const watchdog = openWatchdog(pid);
  const logTail = child.stderr === null ? () => '' : readServerLog(child.stderr, log);
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('exit', (code, signal) => {
      watchdog.close();
      // The log's last lines say why. Orphaned children may hold the pipe open for longer than is worth waiting.
      const late = setTimeout(() => resolve({ code, signal }), 100);
      child.once('close', () => {
        clearTimeout(late);
        resolve({ code, signal });
      });
    });
  });
  return {
    pid,
    exited,
    logTail,
    stop: () => stopServer(child, exited),
  };
}

async function stopServer(child: ChildProcess, exited: Promise<ServerExit>): Promise<void> {
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const;
  for (const [signal, waitMs] of steps) {
    // False once the child has been collected, so its pid is never signalled under a new owner.
    if (!child.kill(signal)) break;
    const timer = new AbortController();
    const late = delay(waitMs, 'late', { signal: timer.signal }).catch(() => 'late');
    const first = await Promise.race([exited, late]);
    timer.abort();
    if (first !== 'late') return;
  }
  await exited;
}

// Waits for the end of its standard input, a pipe that only the parent holds and that the kernel closes however the
// parent ends; then does what `stop` would have done. PostgreSQL has no such option, and Linux's parent-death signal
// would end it with the thread that started it and is unknown to macOS.
const watchdogScript = `
read -r _
kill -INT "$1" || exit 0
n=0
while kill -0 "$1"; do
  [ $n -lt 100 ] || exec kill -QUIT "$1"
  n=$((n + 1))
  sleep 0.1
done
`;

function openWatchdog(pid: number): { close(): void } {
  const child = spawn('/bin/sh', ['-c', watchdogScript, 'answer-evidence-postgres-watchdog', String(pid)], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/bin:/usr/bin' },
    // Signals to the group of the parent must not end it first.
    detached: true,
  });
  // Without one, the next start still ends what is left over.
  child.once('error', () => undefined);
  child.stdin?.once('error', () => undefined);
  return {
    close: () => {
      // Before its input ends: afterwards it would signal a pid that may have a new owner.
      child.kill('SIGKILL');
      child.stdin?.destroy();
    },
  };
}
