import type { CheckedRange } from '@answer-evidence/audit';
import type { RangeThreads } from '@answer-evidence/postgres';
import { openWorkerPool } from '@answer-evidence/worker-threads';
import type { CheckTask } from './check-task.ts';

/** More than the rows of a range need, with all that a thread holds besides. */
const MEMORY_MIB_MAX = 1_024;
/** About as many as one thread checks while others start. */
const LEAVES_MIN = 8_192;

/** Bundled, the program of the threads lies beside the main one. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './check-worker.ts' : './check-worker.js', import.meta.url);

/** Threads for the ranges of ledger checks, on the login of the service. Anyone who opens them closes them. */
export function openRangeThreads({
  threads,
  leavesMin = LEAVES_MIN,
  ...place
}: Pick<CheckTask, 'databaseUrl' | 'masterKey'> & {
  readonly threads: number;
  readonly leavesMin?: number;
}): RangeThreads & { close(): Promise<void> } {
  const pool = openWorkerPool({ module: WORKER, threadsMax: threads, memoryMibMax: MEMORY_MIB_MAX });
  return {
    // One more than there are threads each, so that none waits for this one.
    atOnce: threads * 2,
    leavesMin,
    run: async (task) => (await pool.run({ ...task, ...place } satisfies CheckTask, [])) as CheckedRange,
    close: () => pool.close(),
  };
}
