import { EncodingError } from './encoding-error.ts';

const MICROS_PER_MILLI = 1000;
const MICROS_PER_SECOND = 1_000_000;
const MONTH_DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * RFC 3339 in UTC with exactly six fraction digits and `Z`, from microseconds since 1970 as a safe integer (which
 * reaches from 1684 to 2255). Texts of this form sort as the times do.
 */
export function formatTimestamp(micros: number): string {
  if (!Number.isSafeInteger(micros)) throw new EncodingError('a time is not a safe integer of microseconds');
  const millis = Math.floor(micros / MICROS_PER_MILLI);
  const rest = String(micros - millis * MICROS_PER_MILLI).padStart(3, '0');
  return new Date(millis).toISOString().slice(0, -1) + rest + 'Z';
}

/**
 * Reads RFC 3339 with any offset and at most nine fraction digits into microseconds since 1970; digits after the
 * sixth are cut off. Refuses days that do not exist, leap seconds, and times a safe integer cannot hold.
 */
export function parseTimestamp(text: string): number {
  const parts = RFC_3339.exec(text);
  if (parts === null) throw new EncodingError('not an RFC 3339 time');
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = '', sign] = parts;
  const [offsetHour = '0', offsetMinute = '0'] = parts.slice(9);
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > daysInMonth(date.year, date.month)) {
    throw new EncodingError('a date that does not exist');
  }
  if (Math.max(Number(hour), Number(offsetHour)) > 23) throw new EncodingError('an hour above 23');
  if (Math.max(Number(minute), Number(second), Number(offsetMinute)) > 59) {
    throw new EncodingError('a minute or second above 59');
  }
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60 : 60);
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const seconds = daysSince1970(date.year, date.month, date.day) * 86_400 + clock - offset;
  const micros = seconds * MICROS_PER_SECOND + Number(fraction.slice(0, 6).padEnd(6, '0'));
  if (!Number.isSafeInteger(micros)) throw new EncodingError('a time outside of 1684 to 2255');
  return micros;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/** In the proleptic Gregorian calendar. Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999. */
function daysSince1970(year: number, month: number, day: number): number {
  const before = year - 1;
  let days = before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 719_162;
  for (let m = 1; m < month; m++) days += daysInMonth(year, m);
  return days + day - 1;
}
