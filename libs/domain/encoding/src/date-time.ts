import { EncodingError } from './encoding-error.ts';
import { formatTimestamp, MICROS_PER_SECOND, readTimestamp, type TimeFault } from './timestamp.ts';

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/;
const FRACTION_DIGITS = 6;

/** A time, or the rule that the text breaks. */
type ReadDateTime = { readonly micros: number } | { readonly fault: TimeFault | LeapFault };
type LeapFault = 'must not have the second 60, except in a leap second: the last one of a month in UTC';

/**
 * Reads a time as callers may send it, which is every date-time of RFC 3339, as microseconds since 1970: `t` and `z` in
 * either case, any offset and any number of fraction digits, of which those after the sixth are cut off. The second 60
 * is read where a leap second can be, at the end of a month in UTC, and counts as the second after it, as in POSIX.
 */
export function readDateTime(text: string): ReadDateTime {
  // Nearly all; what is wrong with another text, or unusual in it, is found out below.
  const usual = readTimestamp(text);
  if ('micros' in usual) return usual;
  const [, date = '', minute = '', second = '', fraction = '', offset = ''] = DATE_TIME.exec(text) ?? [];
  const point = fraction === '' ? '' : `.${fraction.slice(0, FRACTION_DIGITS)}`;
  const isLeap = second === '60';
  const read = readTimestamp(`${date}T${minute}:${isLeap ? '59' : second}${point}${offset}`);
  if ('fault' in read || !isLeap) return read;
  const after = read.micros + MICROS_PER_SECOND;
  if (/^\d{4}-\d{2}-01T00:00:00/.test(formatTimestamp(after))) return { micros: after };
  return { fault: 'must not have the second 60, except in a leap second: the last one of a month in UTC' };
}

/** The same as a number. Throws `EncodingError`, whose message is the rule. */
export function parseDateTime(text: string): number {
  const read = readDateTime(text);
  if ('fault' in read) throw new EncodingError(read.fault);
  return read.micros;
}
