import { performance } from 'node:perf_hooks';

/**
 * The milliseconds that this thread was on a processor so far. Time in which others had it, or in which the thread
 * slept, does not count. Node before 23.9 does not know it; there it is the time that passed.
 */
export const processorMs = 'threadCpuUsage' in process ? readThreadMs : () => performance.now();

function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
