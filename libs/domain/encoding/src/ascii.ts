/** A call takes its arguments from the stack, which is bounded. */
const CODES_MAX = 4_096;

/**
 * The text of ASCII codes, as one flat string. Concatenated from small pieces it would be a rope, which V8 must flatten
 * at the first read, at twice the cost.
 */
export function formatAscii(codes: readonly number[]): string {
  if (codes.length <= CODES_MAX) return String.fromCharCode(...codes);
  let text = '';
  for (let at = 0; at < codes.length; at += CODES_MAX) text += String.fromCharCode(...codes.slice(at, at + CODES_MAX));
  return text;
}
