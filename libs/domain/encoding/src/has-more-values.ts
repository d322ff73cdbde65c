import { findStringEnd } from './json-strings.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Whether a text that may be JSON has more than `max` values, counted as objects, arrays and commas. `JSON.parse`
 * cannot be bounded while it runs, so this check comes first.
 */
export function hasMoreValues(text: string, max: number): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = findStringEnd(text, at);
    else if ((unit === COMMA || unit === OPEN_BRACKET || unit === OPEN_BRACE) && ++values > max) return true;
  }
  return false;
}
