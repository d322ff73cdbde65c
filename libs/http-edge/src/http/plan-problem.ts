import { type Problem, PROBLEM_TABLE, type ProblemCode, problemType, ServiceError } from '@answer-evidence/contracts';
import { JsonError } from '@answer-evidence/encoding';
import { StoredDamageError, VaultError } from '@answer-evidence/ports';
import type { ProblemForm } from '@answer-evidence/routes';
import { formatDetail } from './format-detail.ts';
import { CodingNotSupportedError } from './media-type.ts';

const ERRORS_MAX = 20;
/** What a 503 asks for unless it knows better. */
const RETRY_AFTER_SECONDS = 1;
const CHALLENGE = 'Bearer realm="answer-evidence"';

/** An error as it goes out. */
type PlannedProblem = { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> };

/** What an error means to the caller: itself when it is ours, else a problem that tells nothing of the cause. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  // What was altered in the database is not said, and is no fault of this process: a ledger check names it. JSON of a
  // request has been judged where it is parsed, so what gets here was stored.
  if (error instanceof StoredDamageError || error instanceof VaultError || error instanceof JsonError) {
    const detail = 'what is stored of this cannot be read or was altered; run a ledger check, which names it';
    return new ServiceError('content_damaged', detail, { remedy: 'give-up', cause: error });
  }
  return new ServiceError('internal', 'the service failed; report the request_id to the operator', { remedy: 'retry' });
}

/**
 * The RFC 9457 answer to an error, with the headers that its code asks for. `tokenGiven`: a bearer token was sent;
 * `form`: the form of the route, which may have another status for the code.
 */
export function planProblem(
  error: ServiceError,
  requestId: string,
  tokenGiven: boolean,
  form?: ProblemForm,
): PlannedProblem {
  const { title } = PROBLEM_TABLE[error.code];
  const { status, retryAfterSeconds } = { ...PROBLEM_TABLE[error.code], ...form?.statuses?.[error.code] };
  const problem: Problem = {
    type: problemType(error.code),
    title,
    status,
    detail: formatDetail(error),
    code: error.code,
    errors: error.errors.slice(0, ERRORS_MAX),
    request_id: requestId,
  };
  return { problem, headers: headersOf(error, status, tokenGiven, retryAfterSeconds) };
}

function headersOf(
  error: ServiceError,
  status: number,
  tokenGiven: boolean,
  retryAfterSeconds = RETRY_AFTER_SECONDS,
): Readonly<Record<string, string>> {
  if (status === 503 || status === 429) return { 'Retry-After': String(error.retryAfterSeconds ?? retryAfterSeconds) };
  // RFC 6750 section 3.1: no error code for a request without any token.
  if (status === 401) return { 'WWW-Authenticate': tokenGiven ? invalidToken(error.code) : CHALLENGE };
  if (error instanceof CodingNotSupportedError) return { 'Accept-Encoding': error.accepted };
  if (error.code === 'scope_missing') return { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope"` };
  return {};
}

function invalidToken(code: ProblemCode): string {
  return `${CHALLENGE}, error="invalid_token", error_description="${PROBLEM_TABLE[code].title}"`;
}
