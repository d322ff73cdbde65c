import type { Problem } from '@answer-evidence/contracts';

/** The host answered, and not with what was asked for. The message holds no token and no submitted text. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The answer as RFC 9457 says it; null when it was none, for example a page of some proxy. */
  readonly problem: Problem | null;

  constructor(status: number, detail: string, problem: Problem | null = null) {
    super(problem === null ? `${status}: ${detail}` : `${status} ${problem.code}: ${detail}`);
    this.status = status;
    this.problem = problem;
  }
}

/** No whole answer came, after every attempt that was safe to make. Whether the request took effect is unknown. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly attempts: number;

  constructor(origin: string, reason: string, attempts: number, cause: unknown) {
    super(`no response from ${origin} (${reason}, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`})`, {
      cause,
    });
    this.attempts = attempts;
  }
}
