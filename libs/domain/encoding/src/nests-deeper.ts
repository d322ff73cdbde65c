import { findStringEnd } from './json-strings.ts';

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Whether arrays and objects of a text that may be JSON nest deeper than `max`. The native reader takes a hundred bytes
 * of memory for each level, which is a gigabyte for ten megabytes of brackets, before anything could be refused.
 */
export function nestsDeeper(text: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = findStringEnd(text, at);
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      if (++depth > max) return true;
    } else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth--;
  }
  return false;
}
