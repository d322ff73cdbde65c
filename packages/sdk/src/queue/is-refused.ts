import { ProblemError, QueueError } from '../errors.ts';

/** Statuses of a problem that another token, another URL or another time may change. */
const MAY_PASS: readonly number[] = [401, 403, 404, 408, 429];

/**
 * Whether an answer will never be accepted as it is. Everything else is tried again: an outage, a proxy in between, and
 * a token that is wrong or has expired, which can be replaced.
 */
export function isRefused(error: unknown): error is ProblemError | QueueError {
  if (error instanceof QueueError) return error.code === 'queue_damaged';
  return error instanceof ProblemError && error.status < 500 && !MAY_PASS.includes(error.status);
}

/** How long the service asks to wait, in milliseconds. */
export function askedWaitMs(error: unknown): number {
  return error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0;
}
