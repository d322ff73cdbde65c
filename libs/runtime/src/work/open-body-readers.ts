import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { deserialize } from 'node:v8';
import { ServiceError } from '@answer-evidence/contracts';
import { type BodyReaders, CallerLeftError, overloaded, processorMs } from '@answer-evidence/http-edge';
import { LateBody } from '@answer-evidence/routes';
import { openWorkerPool } from '@answer-evidence/worker-threads';
import type { Config } from '../ground/config.ts';
import { otlpOptionsOf } from '../ground/otlp-options.ts';
import type { BodyTask, BodyTaskResult, PackedBody } from './body-task.ts';
import { createFairQueue } from './fair-queue.ts';

/** Several, so that nobody's body has to wait for one that takes long; they are nicer than what answers requests. */
const THREADS_MAX = Math.max(2, Math.min(4, availableParallelism() - 1));
/** What the largest bodies take on a busy machine, many times over. A thread that takes longer is ended. */
const TASK_MS_MAX = 30_000;
/** A thread whose caller has left is let finish for so long: to make another one costs more than most bodies. */
const AFTER_CALLER_MS = 1_000;
/** More than the largest body needs that the limits let pass. */
const MEMORY_MIB_MAX = 1_024;

/** Bundled, the program of the threads lies beside the main one. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './body-worker.ts' : './body-worker.js', import.meta.url);

/** What is done in threads, and how it ends. */
export type LargeWork = BodyReaders & {
  /** `splitText` of the evidence stage. */
  split(workspaceId: string, text: string, contentType: string): Promise<readonly string[]>;
  close(): Promise<void>;
};

/**
 * Reads large bodies in threads, those of one token after one another where others wait too, and never those of one
 * workspace in all threads. `taskMsMax`: after which a task is given up, and its thread ended.
 */
export function openBodyReaders(config: Config, taskMsMax = TASK_MS_MAX): LargeWork {
  const pool = openWorkerPool({ module: WORKER, threadsMax: THREADS_MAX, memoryMibMax: MEMORY_MIB_MAX });
  const queue = createFairQueue(THREADS_MAX);
  const otlp = otlpOptionsOf(config);

  async function run(task: BodyTask, over: AbortSignal, onWork: (ms: number) => void): Promise<unknown> {
    if (over.aborted) throw new CallerLeftError('nobody waits for the reply');
    const beganMs = performance.now();
    const ending = endOf(over, taskMsMax);
    try {
      // The memory moves to the thread: a body is held once.
      const moved = task.kind === 'read' ? [task.bytes.buffer as ArrayBuffer] : [];
      const { value, refusal, ms } = (await pool.run(task, moved, ending.signal)) as BodyTaskResult;
      onWork(ms);
      if (refusal === null) return value;
      const { code, message, errors, remedy } = refusal;
      throw new ServiceError(code, message, { errors, remedy });
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      // What a thread was ended for is paid as well.
      if (ending.signal.aborted) onWork(performance.now() - beganMs);
      if (over.aborted) throw new CallerLeftError('nobody waits for the reply');
      // It took too long, a thread has run out of memory, or the process is ending.
      throw overloaded(cause);
    } finally {
      ending.stop();
    }
  }

  return {
    async read({ workspaceId, tokenId, over, onWork }, bytes, part) {
      const whose = { owner: workspaceId, key: tokenId };
      const value = await queue.run(whose, () => run({ kind: 'read', bytes, part, otlp }, over, onWork));
      if (!isPacked(value)) return value;
      function open(packed: Uint8Array): unknown {
        const beganMs = processorMs();
        const opened: unknown = deserialize(packed);
        onWork(processorMs() - beganMs);
        return opened;
      }
      return new LateBody(() => open(value.packed), true);
    },
    async split(workspaceId, text, contentType) {
      const whose = { owner: workspaceId, key: workspaceId };
      const task: BodyTask = { kind: 'split', text, contentType };
      return (await queue.run(whose, () => run(task, NEVER_OVER, () => undefined))) as readonly string[];
    },
    close: () => pool.close(),
  };
}

/** A caller who waits for as long as it takes. */
const NEVER_OVER = new AbortController().signal;

/** When a thread is ended: a while after its caller has left, and in any case after `msMax`. */
function endOf(over: AbortSignal, msMax: number): { readonly signal: AbortSignal; stop(): void } {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timers = [setTimeout(end, msMax)];
  const leave = () => void timers.push(setTimeout(end, AFTER_CALLER_MS));
  over.addEventListener('abort', leave, { once: true });
  return {
    signal: ending.signal,
    stop() {
      over.removeEventListener('abort', leave);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** No body that is read at once has bytes under this name. */
function isPacked(value: unknown): value is PackedBody {
  return typeof value === 'object' && value !== null && 'packed' in value && value.packed instanceof Uint8Array;
}
