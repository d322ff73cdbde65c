import { fileURLToPath } from 'node:url';
import { Tinypool } from 'tinypool';

/** A thread without work ends after this, and gives its memory back. To start one costs more than any body does. */
const IDLE_MS = 60_000;

/** Threads that run one function. */
export type WorkerPool = {
  /**
   * Has the function run in a thread. What is in `transfer` moves there; the rest is copied. Rejects as it does. When
   * `signal` is aborted, the thread is ended, whatever it does, another one takes its place, and the task rejects.
   */
  run(task: unknown, transfer: readonly ArrayBuffer[], signal?: AbortSignal): Promise<unknown>;
  /** Ends the threads; what runs is given up. */
  close(): Promise<void>;
};

/** Opens a pool over the default function of a module. There are no threads until there is work. */
export function openWorkerPool(options: {
  readonly module: URL;
  readonly threadsMax: number;
  /** A thread that needs more is ended, and its task rejects. */
  readonly memoryMibMax: number;
}): WorkerPool {
  const pool = new Tinypool({
    filename: fileURLToPath(options.module),
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: options.threadsMax,
    idleTimeout: IDLE_MS,
    // A task at a time, without a thread that blocks while it waits for the next one.
    useAtomics: false,
    // Young generations of the main thread's size would be kept by each thread.
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMibMax, maxYoungGenerationSizeMb: 48 },
  });
  return {
    async run(task, transfer, signal) {
      const result: unknown = await pool.run(task, {
        transferList: [...transfer],
        ...(signal === undefined ? {} : { signal }),
      });
      return result;
    },
    close: () => pool.destroy(),
  };
}
