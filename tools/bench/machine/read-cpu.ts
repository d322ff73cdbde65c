import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MICROS_PER_SECOND = 1_000_000;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time of the main thread of a process since it started, in microseconds, as Linux says it. */
export function readMainThreadMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  // The name stands in parentheses and may contain anything; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * MICROS_PER_SECOND) / TICKS_PER_SECOND;
}
