import { type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { formatTimestamp, readDateTime } from '@answer-evidence/encoding';

/** What a window is of. */
type Subject = 'created' | 'answered';
/** The times between which a list is asked for, in RFC 3339. */
type Window = { readonly [End in `${Subject}_${'after' | 'before'}`]?: string | undefined };

/**
 * The filters with their times as the service writes times. Throws `schema_violation` for a time that does not exist or
 * that the service cannot tell, and for a window that ends before it begins; `place` is before the names in its
 * pointers.
 */
export function readWindow<T extends Window>(filters: T, subject: Subject = 'created', place = '?'): T {
  const [first, last] = [`${subject}_after`, `${subject}_before`] as const;
  const errors: ProblemError[] = [];
  const times: { -readonly [End in keyof Window]: string } = {};
  for (const name of [first, last]) {
    const text = filters[name];
    if (text === undefined) continue;
    const read = readDateTime(text);
    if ('micros' in read) times[name] = formatTimestamp(read.micros);
    else errors.push({ pointer: `${place}${name}`, detail: read.fault });
  }
  const [after, before] = [times[first], times[last]];
  // Texts of this form sort in the order of their times.
  if (errors.length === 0 && after !== undefined && before !== undefined && after > before)
    errors.push({ pointer: `${place}${last}`, detail: `must not be earlier than ${first}; exchange the two` });
  if (errors.length > 0) throw new ServiceError('schema_violation', 'the query is invalid', { errors });
  return { ...filters, ...times };
}
