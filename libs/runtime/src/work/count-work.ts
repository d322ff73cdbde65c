import { ServiceError } from '@answer-evidence/contracts';
import { processorMs } from '@answer-evidence/http-edge';
import type { BodyTaskResult } from './body-task.ts';

/**
 * Does a task, and counts the milliseconds that this thread was on a processor for it. Time in which others had the
 * processor, or in which the thread slept, does not count. The refusal of a request is a result as well.
 */
export function countWork(task: () => unknown): BodyTaskResult {
  const startMs = processorMs();
  try {
    return { value: task(), refusal: null, ms: processorMs() - startMs };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, errors, remedy } = error;
    return { value: undefined, refusal: { code, message, errors, remedy }, ms: processorMs() - startMs };
  }
}
