import { EncodingError } from './encoding-error.ts';
import { readOr } from './read-or.ts';

/** Times are counted in microseconds. */
export const MICROS_PER_SECOND = 1_000_000;
/** A day of 24 hours. */
export const MICROS_PER_DAY = 86_400_000_000;
const SECONDS_PER_DAY = 86_400;
const DIGIT_ZERO = 0x30;
const HYPHEN = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;
const MONTH_DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;
/** Where the parts of a text of that form begin. */
const [MONTH, DAY, HOUR, MINUTE, SECOND, FRACTION] = [5, 8, 11, 14, 17, 20];
const OFFSET_LENGTH = 6;
const FRACTION_DIGITS = 6;

/**
 * RFC 3339 in UTC with exactly six fraction digits and `Z`, from microseconds since 1970 as a safe integer (1684 to
 * 2255). Texts of this form sort in the order of their times.
 */
export function formatTimestamp(micros: number): string {
  if (!Number.isSafeInteger(micros)) throw new EncodingError('a time is not a safe integer of microseconds');
  const seconds = Math.floor(micros / MICROS_PER_SECOND);
  const fraction = micros - seconds * MICROS_PER_SECOND;
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const clock = seconds - days * SECONDS_PER_DAY;
  const { year, month, day } = dateOf(days);
  const hour = Math.floor(clock / 3600);
  const minute = Math.floor(clock / 60) % 60;
  const second = clock % 60;
  // Digit by digit: Date's own text, cut and joined, takes four times as long, and each create writes three times.
  // prettier-ignore
  return String.fromCharCode(
    digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1),
    HYPHEN, digit(month, 10), digit(month, 1), HYPHEN, digit(day, 10), digit(day, 1),
    LETTER_T, digit(hour, 10), digit(hour, 1), COLON, digit(minute, 10), digit(minute, 1),
    COLON, digit(second, 10), digit(second, 1), POINT,
    digit(fraction, 100_000), digit(fraction, 10_000), digit(fraction, 1000),
    digit(fraction, 100), digit(fraction, 10), digit(fraction, 1), LETTER_Z,
  );
}

/** The character code of one decimal digit of a number; `place` is the power of ten that it counts. */
function digit(value: number, place: number): number {
  return DIGIT_ZERO + (Math.floor(value / place) % 10);
}

/**
 * The date of a day counted from 1970. Years start in March here, so that the leap day comes last, and are counted in
 * eras of 400 years, which always have 146,097 days.
 */
function dateOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  // From 1 March of the year 0.
  const since = days + 719_468;
  const era = Math.floor(since / 146_097);
  const ofEra = since - era * 146_097;
  const leapDays = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const yearOfEra = Math.floor((ofEra - leapDays) / 365);
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // From March on, months have 31, 30, 31, 30, 31 days, over and over: 153 days in five.
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const year = yearOfEra + era * 400;
  return fromMarch < 10 ? { year, month: fromMarch + 3, day } : { year: year + 1, month: fromMarch - 9, day };
}

/** The rule that a text breaks if it is not a time. */
export type TimeFault =
  | 'must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00Z'
  | 'must have a day that exists in the calendar'
  | 'must have hours of at most 23'
  | 'must have minutes and seconds of at most 59'
  | 'must be a time between the years 1684 and 2255';

/**
 * Reads an RFC 3339 time with any offset and at most nine fraction digits as microseconds since 1970; digits after the
 * sixth are cut off. Throws for days that do not exist, leap seconds, and times beyond a safe integer.
 */
export function parseTimestamp(text: string): number {
  const read = readTimestamp(text);
  if ('fault' in read) throw new EncodingError(read.fault);
  return read.micros;
}

/** The same, with the rule that the text breaks in the place of an error. */
export function readTimestamp(text: string): { readonly micros: number } | { readonly fault: TimeFault } {
  if (!RFC_3339.test(text))
    return { fault: 'must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00Z' };
  const date = { year: digitsAt(text, 0, 4), month: digitsAt(text, MONTH, 2), day: digitsAt(text, DAY, 2) };
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > daysInMonth(date.year, date.month))
    return { fault: 'must have a day that exists in the calendar' };
  const [hour, minute, second] = [digitsAt(text, HOUR, 2), digitsAt(text, MINUTE, 2), digitsAt(text, SECOND, 2)];
  const isUtc = text.charCodeAt(text.length - 1) > COLON;
  const offsetAt = text.length - OFFSET_LENGTH;
  const [offsetHour, offsetMinute] = isUtc
    ? [0, 0]
    : [digitsAt(text, offsetAt + 1, 2), digitsAt(text, offsetAt + 4, 2)];
  if (Math.max(hour, offsetHour) > 23) return { fault: 'must have hours of at most 23' };
  if (Math.max(minute, second, offsetMinute) > 59) return { fault: 'must have minutes and seconds of at most 59' };
  const offset = (offsetHour * 60 + offsetMinute) * (text.charCodeAt(offsetAt) === HYPHEN ? -60 : 60);
  const clock = hour * 3600 + minute * 60 + second;
  const seconds = daysSince1970(date.year, date.month, date.day) * SECONDS_PER_DAY + clock - offset;
  const fraction = digitsAt(text, FRACTION, FRACTION_DIGITS, isUtc ? text.length - 1 : offsetAt);
  const micros = seconds * MICROS_PER_SECOND + fraction;
  return Number.isSafeInteger(micros) ? { micros } : { fault: 'must be a time between the years 1684 and 2255' };
}

/** The number of `count` decimal digits; those from `end` on count as zeros. */
function digitsAt(text: string, from: number, count: number, end = text.length): number {
  let value = 0;
  for (let at = from; at < from + count; at++) value = value * 10 + (at < end ? text.charCodeAt(at) - DIGIT_ZERO : 0);
  return value;
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

/** Whether a text is a time that `parseTimestamp` reads. */
export function isTimestamp(text: string): boolean {
  return readOr(() => parseTimestamp(text), undefined) !== undefined;
}

/** The text of a time that may be none. */
export function formatTime(micros: number | null | undefined): string | null {
  return micros === null || micros === undefined ? null : formatTimestamp(micros);
}
