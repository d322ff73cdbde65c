/**
 * When a request may be sent again after a failure.
 * - `safe`: whatever became of it. It reads, or it carries an idempotency key, or doing it twice is doing it once.
 * - `unprocessed`: only when it certainly did nothing, because the connection was refused or it was turned away with
 *   429.
 */
export type Repeat = 'safe' | 'unprocessed';

/** Why an attempt failed. `no-answer` covers timeouts and connections lost on the way: it may have taken effect. */
export type Failure =
  | { readonly kind: 'refused' }
  | { readonly kind: 'no-answer' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | undefined };

/** Bounds of the retries. */
export type RetryLimits = {
  /** All attempts, the first one included. */
  readonly attemptsMax: number;
  /** Longest wait before the second attempt; it doubles from there. */
  readonly baseMs: number;
  /** Longest wait that is chosen here. */
  readonly delayMaxMs: number;
  /** Longest wait that a `Retry-After` may ask for; a longer one ends the attempts. */
  readonly retryAfterMaxMs: number;
};

/** Four attempts, within some seconds unless the host asks for more. */
export const DEFAULT_RETRY_LIMITS: RetryLimits = {
  attemptsMax: 4,
  baseMs: 250,
  delayMaxMs: 8_000,
  retryAfterMaxMs: 60_000,
};

const TOO_MANY_REQUESTS = 429;
const TRANSIENT_STATUSES: readonly number[] = [408, TOO_MANY_REQUESTS, 502, 503, 504];

/**
 * How long to wait before the next attempt, in milliseconds; undefined if there is none. `attempt` counts from 1,
 * `random` is in [0, 1). Half of the wait is jitter, so that clients that failed together do not retry together.
 */
export function planRetry(
  failure: Failure,
  repeat: Repeat,
  attempt: number,
  random: number,
  limits: RetryLimits,
): number | undefined {
  if (attempt >= limits.attemptsMax || !isRepeatable(failure, repeat)) return undefined;
  const ceiling = Math.min(limits.delayMaxMs, limits.baseMs * 2 ** (attempt - 1));
  const delay = Math.round(ceiling / 2 + (ceiling / 2) * random);
  const asked = failure.kind === 'status' ? (failure.retryAfterMs ?? 0) : 0;
  return asked > limits.retryAfterMaxMs ? undefined : Math.max(delay, asked);
}

function isRepeatable(failure: Failure, repeat: Repeat): boolean {
  switch (failure.kind) {
    case 'refused':
      return true;
    case 'no-answer':
      return repeat === 'safe';
    case 'status':
      // A 503 can follow a commit whose outcome the service does not know, so it is no proof that nothing was done.
      return failure.status === TOO_MANY_REQUESTS || (repeat === 'safe' && TRANSIENT_STATUSES.includes(failure.status));
  }
}

/** The wait that a reply asks for. A date (RFC 9110, 10.2.3) is relative to the reply's `Date`, never a clock here. */
export function parseRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const wait = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
