import { findStringEnd } from './json-strings.ts';

const QUOTE = 0x22;
const COLON = 0x3a;

/**
 * Colons outside of strings; the text must be valid JSON. Each member has one, and the native reader keeps the last of
 * equal keys in silence, so the count is that of the members that were read exactly when no member was dropped, at any
 * depth.
 */
export function countColons(text: string): number {
  let colons = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === COLON) colons++;
    else if (unit === QUOTE) i = findStringEnd(text, i);
  }
  return colons;
}
