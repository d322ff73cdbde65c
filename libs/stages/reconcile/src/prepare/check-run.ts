import {
  type CreateRunRequest,
  ENVIRONMENT_DEFAULT,
  LATENESS_SECONDS_DEFAULT,
  type MatchField,
  type ProblemError,
  RECONCILIATION_WINDOW_SECONDS_MAX,
  type ReferenceRequest,
  ServiceError,
} from '@answer-evidence/contracts';
import { MICROS_PER_SECOND, readDateTime } from '@answer-evidence/encoding';
import type { Reference } from '@answer-evidence/reconciliation';

/** A request for a run, with its times in microseconds and its defaults filled in. */
export type CheckedRun = {
  readonly applicationKey: string;
  readonly environment: string;
  readonly matchOn: MatchField;
  readonly windowStart: number;
  readonly windowEnd: number;
  readonly maxLatenessSeconds: number;
  readonly references: readonly Reference[];
  readonly errors: readonly ProblemError[];
};

/** Most faults that one answer lists. */
const ERRORS_MAX = 20;

/** Checks what a schema cannot say: times, order and length of the window, references. What is wrong is in `errors`. */
export function checkRun(request: CreateRunRequest): CheckedRun {
  const errors: ProblemError[] = [];
  const refuse = (pointer: string, detail: string) => {
    if (errors.length < ERRORS_MAX) errors.push({ pointer, detail });
  };
  const windowStart = time(request.window_start, '/window_start', refuse);
  const windowEnd = time(request.window_end, '/window_end', refuse);
  if (windowStart !== null && windowEnd !== null) {
    if (windowEnd <= windowStart) refuse('/window_end', 'must be after window_start');
    if (windowEnd - windowStart > RECONCILIATION_WINDOW_SECONDS_MAX * MICROS_PER_SECOND)
      refuse('/window_end', 'must be at most seven days after window_start; split a longer window into several runs');
  }
  // Without a window nothing can be said of where references lie.
  const window = windowStart === null || windowEnd === null ? null : { windowStart, windowEnd };
  const references = request.references.map((sent, n) => checkReference(sent, n, window, refuse));
  return {
    applicationKey: request.application_key,
    environment: request.environment ?? ENVIRONMENT_DEFAULT,
    matchOn: request.match_on,
    windowStart: windowStart ?? 0,
    windowEnd: windowEnd ?? 0,
    maxLatenessSeconds: request.max_lateness_seconds ?? LATENESS_SECONDS_DEFAULT,
    references,
    errors,
  };
}

/** Throws `schema_violation` for all that is wrong with a request, a window that has not begun included. */
export function assertRun(
  { windowStart, errors }: Pick<CheckedRun, 'windowStart' | 'errors'>,
  nowMicros: number,
): void {
  const future = { pointer: '/window_start', detail: 'must not be in the future' };
  const all = windowStart > nowMicros ? [future, ...errors] : errors;
  if (all.length > 0)
    throw new ServiceError('schema_violation', 'the request is invalid', { errors: all.slice(0, ERRORS_MAX) });
}

type Refuse = (pointer: string, detail: string) => void;

function checkReference(
  sent: ReferenceRequest,
  n: number,
  window: Pick<CheckedRun, 'windowStart' | 'windowEnd'> | null,
  refuse: Refuse,
): Reference {
  const read = readDateTime(sent.occurred_at);
  const occurredAt = 'micros' in read ? read.micros : 0;
  if ('fault' in read) refuse(`/references/${n}/occurred_at`, read.fault);
  else if (window !== null && (occurredAt < window.windowStart || occurredAt >= window.windowEnd))
    refuse(`/references/${n}/occurred_at`, 'must be in the window, which includes its start and excludes its end');
  return {
    referenceId: sent.reference_id,
    occurredAt,
    questionHash: sent.question_hash ?? null,
    answerHash: sent.answer_hash ?? null,
  };
}

function time(text: string, pointer: string, refuse: Refuse): number | null {
  const read = readDateTime(text);
  if ('micros' in read) return read.micros;
  refuse(pointer, read.fault);
  return null;
}
