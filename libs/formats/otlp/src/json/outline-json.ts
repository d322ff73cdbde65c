import type { JsonOutline } from '@answer-evidence/encoding';
import { OtlpError } from '../otlp-error.ts';
import { notJson } from './not-json.ts';

/** What a document may hold before it is read: what the native reader makes of it cannot be bounded while it reads. */
type JsonBounds = {
  readonly depthMax: number;
  /** Objects, arrays, and the commas between what is in them. */
  readonly nodesMax: number;
  /** Members of one object, and one more. What OTLP defines has 16 at most, and an object of many is slow to make. */
  readonly membersMax: number;
};

/** The text to read, and what was seen on the way through it. */
type OutlinedJson = JsonOutline & { readonly text: string };

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** An integer of fewer digits is always safe. */
const WIDE_DIGITS = 16;

/**
 * Checks the bounds of a text that may be a JSON document, and puts each of its integers beyond ±(2^53-1) in quotes:
 * OTLP takes a 64-bit integer as number or as string, and read as a number it would be rounded. A text that is no JSON
 * stays one that is not one. Throws `OtlpError`.
 */
export function outlineJson(text: string, { depthMax, nodesMax, membersMax }: JsonBounds): OutlinedJson {
  const pieces: string[] = [];
  /** Commas of each container that is open, below zero for an array. */
  const commas: number[] = [];
  let copied = 0;
  let depth = 0;
  let nodes = 0;
  let colons = 0;
  let hasEscapedName = false;
  let escape = text.indexOf('\\');
  let isEscaped = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = findStringEnd(text, at);
      if (escape !== -1 && escape < at) escape = text.indexOf('\\', at);
      isEscaped = escape !== -1 && escape < end;
      at = end;
    } else if (unit === COLON) {
      colons++;
      // The string before a colon is a name.
      hasEscapedName ||= isEscaped;
    } else if (unit === COMMA) {
      nodes++;
      const seen = (commas[depth] ?? 0) + 1;
      commas[depth] = seen;
      if (seen > membersMax) throw new OtlpError('malformed', `an object may have at most ${membersMax} members`);
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      nodes++;
      if (++depth > depthMax)
        throw new OtlpError('too_deep', `the JSON is nested deeper than ${depthMax} levels; send it flatter`);
      commas[depth] = unit === OPEN_BRACE ? 0 : -Infinity;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      if (--depth < 0) throw notJson(text);
    } else if (unit === MINUS || (unit >= DIGIT_0 && unit <= DIGIT_9)) {
      const end = findNumberEnd(text, at);
      if (end - at >= WIDE_DIGITS && isWideInteger(text, at, end)) {
        pieces.push(text.slice(copied, at), '"', text.slice(at, end), '"');
        copied = end;
      }
      at = end - 1;
    }
    if (nodes > nodesMax) {
      throw new OtlpError('too_many_values', 'the request has too many values: send smaller batches');
    }
  }
  return { text: copied === 0 ? text : pieces.join('') + text.slice(copied), colons, hasEscapedName };
}

/** The closing quote of the string that opens at `start`. Throws when there is none. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    // A run of backslashes ends at one quote only, so however long it is, it is read once.
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  throw notJson(text);
}

function findNumberEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isNumberUnit(text.charCodeAt(end))) end++;
  return end;
}

function isNumberUnit(unit: number): boolean {
  // An `E` in either case, and the point.
  return (
    (unit >= DIGIT_0 && unit <= DIGIT_9) || unit === MINUS || unit === PLUS || unit === 0x2e || (unit | 0x20) === 0x65
  );
}

/** Whether a JSON integer beyond a double's precision stands here, as a value rather than as a name. */
function isWideInteger(text: string, start: number, end: number): boolean {
  const literal = text.slice(start, end);
  if (!/^-?[1-9]\d*$/.test(literal) || Number.isSafeInteger(Number(literal))) return false;
  let next = end;
  while (' \t\r\n'.includes(text.charAt(next)) && next < text.length) next++;
  return text[next] !== ':';
}
