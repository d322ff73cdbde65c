import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processor time since some start, in microseconds; only differences mean something. */
export type CpuTimes = {
  readonly mainThread: number;
  /** Of the same process: reading bodies, collecting garbage, compiling. */
  readonly otherThreads: number;
  /** Of PostgreSQL with all of its processes; 0 where there is none. */
  readonly postgres: number;
  /** Of all cores together, for any process. */
  readonly idle: number;
  readonly cores: number;
};

const MICROS_PER_SECOND = 1_000_000;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** What a process, and the PostgreSQL of this postmaster, have used so far, as Linux says it. */
export function readCpu(pid: number, postmasterPid?: number): CpuTimes {
  const mainThread = readStat(`/proc/${pid}/task/${pid}/stat`).own;
  return {
    mainThread,
    // Of the whole process, so that threads that have ended count.
    otherThreads: readStat(`/proc/${pid}/stat`).own - mainThread,
    postgres: postmasterPid === undefined ? 0 : readFamily(postmasterPid),
    ...readCores(),
  };
}

/** What was used between two readings. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): CpuTimes {
  return {
    mainThread: after.mainThread - before.mainThread,
    otherThreads: after.otherThreads - before.otherThreads,
    postgres: after.postgres - before.postgres,
    idle: after.idle - before.idle,
    cores: after.cores - before.cores,
  };
}

type Stat = {
  readonly parent: number;
  readonly own: number;
  /** Of its children that have ended. */
  readonly ended: number;
};

function readStat(file: string): Stat {
  const stat = readFileSync(file, 'utf8');
  // The name stands in parentheses and may contain anything; the parent is the second field after it, then from the
  // 12th on user and system time of its own and of its ended children.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const sum = (from: number) => toMicros((fields[from] ?? 0) + (fields[from + 1] ?? 0));
  return { parent: fields[1] ?? 0, own: sum(11), ended: sum(13) };
}

/** A process with its children, ended ones included. */
function readFamily(pid: number): number {
  const parent = readStat(`/proc/${pid}/stat`);
  let sum = parent.own + parent.ended;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = findStat(Number(name));
    if (stat?.parent === pid) sum += stat.own;
  }
  return sum;
}

/** Undefined for a process that has ended meanwhile. */
function findStat(pid: number): Stat | undefined {
  try {
    return readStat(`/proc/${pid}/stat`);
  } catch {
    return undefined;
  }
}

/** Idle time of all cores, with that of waiting for a disk, and all of their time (proc(5), `/proc/stat`). */
function readCores(): Pick<CpuTimes, 'idle' | 'cores'> {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return {
    idle: toMicros((fields[3] ?? 0) + (fields[4] ?? 0)),
    cores: toMicros(fields.reduce((sum, ticks) => sum + ticks, 0)),
  };
}

function toMicros(ticks: number): number {
  return (ticks * MICROS_PER_SECOND) / TICKS_PER_SECOND;
}
