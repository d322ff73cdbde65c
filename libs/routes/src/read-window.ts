import { type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { formatTimestamp, readDateTime } from '@answer-evidence/encoding';

/** The times between which a list is asked for, in RFC 3339. */
type Window = { readonly created_after?: string | undefined; readonly created_before?: string | undefined };

const ENDS = ['created_after', 'created_before'] as const;

/**
 * The filters with their times as the service writes times. Throws `schema_violation` for a time that does not exist or
 * that the service cannot tell, and for a window that ends before it begins.
 */
export function readWindow<T extends Window>(filters: T): T {
  const errors: ProblemError[] = [];
  const times: { created_after?: string; created_before?: string } = {};
  for (const name of ENDS) {
    const text = filters[name];
    if (text === undefined) continue;
    const read = readDateTime(text);
    if ('micros' in read) times[name] = formatTimestamp(read.micros);
    else errors.push({ pointer: `?${name}`, detail: read.fault });
  }
  const { created_after: after, created_before: before } = times;
  // Texts of this form sort in the order of their times.
  if (errors.length === 0 && after !== undefined && before !== undefined && after > before)
    errors.push({ pointer: '?created_before', detail: 'must not be earlier than created_after; exchange the two' });
  if (errors.length > 0) throw new ServiceError('schema_violation', 'the query is invalid', { errors });
  return { ...filters, ...times };
}
