import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one part is doing. */
export type PartState = {
  readonly name: string;
  readonly state: 'starting' | 'running' | 'ended';
  readonly pid: number | undefined;
  /** When that process began, if the supervisor is who ends it. */
  readonly since?: string | undefined;
  /** Where it listens, or what it is when it is no process. */
  readonly at: string;
  /** Where it tells its metrics, if it does. */
  readonly metrics?: string | undefined;
};

/** What the supervisor writes of itself into the folder of the installation. */
export type SplitState = {
  readonly pid: number;
  readonly isReady: boolean;
  readonly url: string;
  readonly parts: readonly PartState[];
};

const FILE = 'running.json';

/** Where a part's lines are. */
export function logFileOf(folder: string, name: string): string {
  return join(folder, 'logs', `${name}.log`);
}

/** Nobody reads half of it. */
export function writeState(folder: string, state: SplitState): void {
  const draft = join(folder, `${FILE}.new`);
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, join(folder, FILE));
}

/** After an end in order. What a supervisor that was killed has left behind stays named. */
export function removeState(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** What the last supervisor of a folder wrote; undefined after an end in order. */
export function readState(folder: string): SplitState | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as SplitState;
  } catch {
    return undefined;
  }
}

/** The same, if that supervisor runs: a process with its pid may be another one. */
export function findRunning(folder: string): SplitState | undefined {
  const state = readState(folder);
  if (state === undefined) return undefined;
  return readProcess(state.pid, 'args')?.includes(`supervise.ts ${folder} `) === true ? state : undefined;
}

/** The command of a process, or when it began, which tells it from a later one with its pid. */
export function readProcess(pid: number, column: 'args' | 'lstart'): string | undefined {
  try {
    const words = ['-ww', '-o', `${column}=`, '-p', String(pid)];
    return execFileSync('ps', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || undefined;
  } catch {
    return undefined;
  }
}
