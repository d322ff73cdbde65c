import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { cpuBetween, type CpuTimes, readCpu } from './read-cpu.ts';

const SPIN_MS = 200;
const SPIN = `const end = performance.now() + ${SPIN_MS}; while (performance.now() < end);`;
/** What this much work takes at the least on a machine where others have the processors most of the time, in µs. */
const SOME = 20_000;
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

/** What was used of this process and of its children while something ran. */
async function measure(action: () => Promise<unknown>): Promise<CpuTimes> {
  const before = readCpu(process.pid, process.pid);
  await action();
  return cpuBetween(before, readCpu(process.pid, process.pid));
}

describeOnLinux('the processor time of a process', () => {
  it('counts other threads apart, also those that have ended', async () => {
    const { otherThreads } = await measure(() => once(new Worker(SPIN, { eval: true }), 'exit'));
    expect(otherThreads).toBeGreaterThan(SOME);
  });

  it('counts child processes of the database, also those that have ended', async () => {
    const { mainThread, otherThreads, postgres } = await measure(() =>
      once(spawn(process.execPath, ['-e', SPIN]), 'exit'),
    );
    expect(postgres).toBeGreaterThan(mainThread + otherThreads + SOME);
  });

  it('is no more than all cores had, of which some may have been idle', async () => {
    const { mainThread, idle, cores } = await measure(() => once(spawn(process.execPath, ['-e', SPIN]), 'exit'));
    expect(mainThread).toBeLessThan(cores);
    expect(idle).toBeGreaterThanOrEqual(0);
    expect(idle).toBeLessThanOrEqual(cores);
  });
});
