import { type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { EncodingError, parseTimestamp } from '@answer-evidence/encoding';

/** The times between which a list is asked for, in RFC 3339. */
type Window = { readonly created_after?: string | undefined; readonly created_before?: string | undefined };

/** Throws `schema_violation` for a time that the service cannot tell, and for a window that ends before it begins. */
export function assertWindow(window: Window): void {
  const errors: ProblemError[] = [];
  const [after, before] = (['created_after', 'created_before'] as const).map((name) => {
    const text = window[name];
    try {
      return text === undefined ? undefined : parseTimestamp(text);
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      errors.push({ pointer: `?${name}`, detail: 'must be an RFC 3339 date-time between the years 1684 and 2255' });
      return undefined;
    }
  });
  if (after !== undefined && before !== undefined && after > before)
    errors.push({ pointer: '?created_before', detail: 'must not be earlier than created_after; exchange the two' });
  if (errors.length > 0) throw new ServiceError('schema_violation', 'the query is invalid', { errors });
}
