import type { Problem } from '@answer-evidence/contracts';

/** The host answered, and not with what was asked for. The message holds no token and no submitted text. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The answer as RFC 9457 says it; null when it was none, for example a page of some proxy. */
  readonly problem: Problem | null;
  /** How long the answer asks to wait before the next attempt; null when it asks for nothing. */
  readonly retryAfterMs: number | null;

  constructor(status: number, detail: string, problem: Problem | null = null, retryAfterMs: number | null = null) {
    super(problem === null ? `${status}: ${detail}` : `${status} ${problem.code}: ${detail}`);
    this.status = status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No whole answer came, after every attempt that was safe to make. Whether the request took effect is unknown. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly attempts: number;
  /** `timeout`, or the code of the platform. */
  readonly reason: string;

  constructor(origin: string, reason: string, attempts: number, cause: unknown) {
    super(`no response from ${origin} (${reason}, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`})`, {
      cause,
    });
    this.attempts = attempts;
    this.reason = reason;
  }
}
