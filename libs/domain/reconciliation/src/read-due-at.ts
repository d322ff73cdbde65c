import { DUE_DAYS_MAX, ServiceError, type TriageStepRequest } from '@answer-evidence/contracts';
import { formatTimestamp, MICROS_PER_DAY, readDateTime } from '@answer-evidence/encoding';

/**
 * By when a step says that a finding is due, in microseconds: null for at no time, undefined where it says nothing.
 * Nothing is due before its run was requested, or so late that nobody would be told. Throws `schema_violation`.
 */
export function readDueAt(
  step: TriageStepRequest,
  { requestedAt, nowMicros }: { readonly requestedAt: number; readonly nowMicros: number },
): number | null | undefined {
  const sent = 'due_at' in step ? step.due_at : undefined;
  if (sent === undefined || sent === null) return sent;
  const read = readDateTime(sent);
  if ('fault' in read) throw refused(read.fault);
  const latest = nowMicros + DUE_DAYS_MAX * MICROS_PER_DAY;
  if (read.micros < requestedAt || read.micros > latest) {
    const [first, last] = [formatTimestamp(requestedAt), formatTimestamp(latest)];
    throw refused(`must be from ${first}, when the run was requested, to ${last}, ${DUE_DAYS_MAX} days from now`);
  }
  return read.micros;
}

function refused(detail: string): ServiceError {
  return new ServiceError('schema_violation', detail, { errors: [{ pointer: '/due_at', detail }] });
}
