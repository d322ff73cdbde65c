/** A call takes its arguments from the stack, which is bounded. */
const CODES_MAX = 4_096;

/** The text of ASCII codes as one flat string: a rope of small pieces costs its first reader twice as much again. */
export function formatAscii(codes: readonly number[]): string {
  if (codes.length <= CODES_MAX) return String.fromCharCode(...codes);
  let text = '';
  for (let at = 0; at < codes.length; at += CODES_MAX) text += String.fromCharCode(...codes.slice(at, at + CODES_MAX));
  return text;
}
