import { ServiceError } from '@answer-evidence/contracts';
import type { BodyTaskResult } from './body-task.ts';

/** Node before 23.9 does not know what one thread has used; there it is the time that passed, waiting included. */
const readMs = 'threadCpuUsage' in process ? readProcessorMs : () => performance.now();

/**
 * Does a task, and counts the milliseconds that this thread was on a processor for it. Time in which others had the
 * processor, or in which the thread slept, is nobody's debt. The refusal of a request is a result as well.
 */
export function countWork(task: () => unknown): BodyTaskResult {
  const startMs = readMs();
  try {
    return { value: task(), refusal: null, ms: readMs() - startMs };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, errors, remedy } = error;
    return { value: undefined, refusal: { code, message, errors, remedy }, ms: readMs() - startMs };
  }
}

function readProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
