import { type ProblemError, type RecordFilters, ServiceError } from '@answer-evidence/contracts';
import { EncodingError, parseTimestamp } from '@answer-evidence/encoding';

/** The filters, narrowed to the caller's application. Throws `application_not_allowed` when it asks for another. */
export function narrowed(filters: RecordFilters, bound: string | undefined): RecordFilters {
  if (bound === undefined) return filters;
  if (filters.application_key !== undefined && filters.application_key !== bound)
    throw new ServiceError(
      'application_not_allowed',
      'the token is bound to another application key; use a token of the application in question',
    );
  return { ...filters, application_key: bound };
}

/** Throws `schema_violation` when a time of the filters is outside of what the service can tell. */
export function assertTimes(filters: Pick<RecordFilters, 'created_after' | 'created_before'>): void {
  const errors: ProblemError[] = [];
  for (const name of ['created_after', 'created_before'] as const) {
    const text = filters[name];
    if (text === undefined) continue;
    try {
      parseTimestamp(text);
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      errors.push({ pointer: `?${name}`, detail: 'must be an RFC 3339 date-time between the years 1684 and 2255' });
    }
  }
  if (errors.length > 0) throw new ServiceError('schema_violation', 'the request is invalid', { errors });
}
