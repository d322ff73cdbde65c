import { EncodingError, parseTimestamp } from '@answer-evidence/encoding';
import { type DerNode, malformed, TAG } from './der.ts';

const GENERALIZED = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:\.(\d{0,8}[1-9]))?Z$/;
const UTC = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;

/** The two-digit years of UTCTime reach from 1950 to 2049 (RFC 5280 section 4.1.2.5.1). */
const UTC_TIME_PIVOT = 50;

/** Microseconds since 1970 of a DER UTCTime or GeneralizedTime in UTC with seconds. Throws `TimestampError`. */
export function readTime(node: DerNode, what: string): number {
  const text = String.fromCharCode(...node.content.subarray(0, 32));
  const parts = (node.tag === TAG.utcTime ? UTC : GENERALIZED).exec(text);
  if (parts === null || node.content.length > 32) throw malformed(what);
  const [, first = '', month = '', day = '', hour = '', minute = '', second = '', fraction] = parts;
  const century = Number(first) < UTC_TIME_PIVOT ? '20' : '19';
  const year = node.tag === TAG.utcTime ? century + first : first;
  const rest = fraction === undefined ? '' : `.${fraction}`;
  try {
    return parseTimestamp(`${year}-${month}-${day}T${hour}:${minute}:${second}${rest}Z`);
  } catch (error) {
    if (error instanceof EncodingError) throw malformed(what);
    throw error;
  }
}
