import { EncodingError, parseTimestamp } from '@answer-evidence/encoding';
import { type DerNode, malformed, TAG } from './der.ts';

const GENERALIZED = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:\.(\d+))?Z$/;
const UTC = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;

/** The two-digit years of UTCTime reach from 1950 to 2049 (RFC 5280 section 4.1.2.5.1). */
const UTC_TIME_PIVOT = 50;
/** The first and the last whole year that our formats can write. */
const YEARS = { first: 1685, last: 2254 };

/**
 * Microseconds since 1970 of a DER UTCTime or GeneralizedTime in UTC with seconds. DER does not limit the digits of a
 * fraction, but ends it in another digit than 0; digits beyond the microsecond are cut off. Throws `TimestampError`.
 */
export function readTime(node: DerNode, what: string): number {
  const { year, rest } = readParts(node, what);
  return toMicros(`${year}-${rest}`, what);
}

/** The same for an end of a validity, which may be beyond every time of our formats: 9999 means "no end". */
export function readBound(node: DerNode, what: string): number {
  const { year, rest } = readParts(node, what);
  if (Number(year) >= YEARS.first && Number(year) <= YEARS.last) return toMicros(`${year}-${rest}`, what);
  // The calendar repeats every 400 years, so the day exists if it does in the year that is as far from 1800.
  toMicros(`${1800 + (Number(year) % 400)}-${rest}`, what);
  return Number(year) < YEARS.first ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
}

function readParts(node: DerNode, what: string): { readonly year: string; readonly rest: string } {
  const characters = new TextDecoder('latin1').decode(node.content);
  const parts = (node.tag === TAG.utcTime ? UTC : GENERALIZED).exec(characters);
  if (parts === null) throw malformed(what);
  const [, first = '', month = '', day = '', hour = '', minute = '', second = '', fraction] = parts;
  if (fraction?.endsWith('0') === true) throw malformed(what);
  const century = Number(first) < UTC_TIME_PIVOT ? '20' : '19';
  const year = node.tag === TAG.utcTime ? century + first : first;
  if (year === '0000') throw malformed(what);
  const shown = fraction === undefined ? '' : `.${fraction.slice(0, 6)}`;
  return { year, rest: `${month}-${day}T${hour}:${minute}:${second}${shown}Z` };
}

function toMicros(timestamp: string, what: string): number {
  try {
    return parseTimestamp(timestamp);
  } catch (error) {
    if (error instanceof EncodingError) throw malformed(what);
    throw error;
  }
}
