import { availableParallelism } from 'node:os';
import { deserialize } from 'node:v8';
import { ServiceError } from '@answer-evidence/contracts';
import type { BodyReaders } from '@answer-evidence/http-edge';
import { LateBody } from '@answer-evidence/routes';
import { openWorkerPool } from '@answer-evidence/worker-threads';
import type { Config } from '../start/config.ts';
import { otlpOptionsOf } from '../start/otlp-options.ts';
import type { BodyTask, BodyTaskResult, PackedBody } from './body-task.ts';
import { createFairQueue } from './fair-queue.ts';

/** One processor is left to the requests themselves. */
const THREADS_MAX = Math.max(1, Math.min(4, availableParallelism() - 1));
/** More than the largest body needs that the limits let pass. */
const MEMORY_MIB_MAX = 1_024;

/** Bundled, the program of the threads lies beside the main one. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './body-worker.ts' : './body-worker.js', import.meta.url);

/** What is done in threads, and how it ends. */
export type LargeWork = BodyReaders & {
  /** `splitText` of the evidence stage; `key`: whose text it is. */
  split(key: string, text: string, contentType: string): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** Reads large bodies in threads, those of one token after one another where others wait too. */
export function openBodyReaders(config: Config): LargeWork {
  const pool = openWorkerPool({ module: WORKER, threadsMax: THREADS_MAX, memoryMibMax: MEMORY_MIB_MAX });
  const queue = createFairQueue(THREADS_MAX);
  const otlp = otlpOptionsOf(config);

  async function run(task: BodyTask): Promise<BodyTaskResult> {
    try {
      // The memory moves to the thread: a body is held once.
      const moved = task.kind === 'read' ? [task.bytes.buffer as ArrayBuffer] : [];
      return (await pool.run(task, moved)) as BodyTaskResult;
    } catch (cause) {
      // A thread that has run out of memory, or a process that is ending.
      throw new ServiceError('overloaded', 'the server is at capacity; retry the same request', {
        remedy: 'retry',
        cause,
      });
    }
  }

  return {
    async read(key, bytes, part, onWork) {
      const { value, refusal, ms } = await queue.run(key, () => run({ kind: 'read', bytes, part, otlp }));
      onWork(ms);
      if (refusal === null)
        return isPacked(value) ? new LateBody((): unknown => deserialize(value.packed), true) : value;
      const { code, message, errors, remedy } = refusal;
      throw new ServiceError(code, message, { errors, remedy });
    },
    async split(key, text, contentType) {
      const { value } = await queue.run(key, () => run({ kind: 'split', text, contentType }));
      return value as readonly string[];
    },
    close: () => pool.close(),
  };
}

/** No body that is read at once has bytes under this name. */
function isPacked(value: unknown): value is PackedBody {
  return typeof value === 'object' && value !== null && 'packed' in value && value.packed instanceof Uint8Array;
}
