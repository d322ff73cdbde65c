const NAME_LENGTH_MAX = 255;
/**
 * Control, format (they reorder or hide text), private and surrogate characters, separators, and what is drawn
 * as nothing.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/gu;

/**
 * A caller's file name, as a hint for people: the last path segment, with either kind of slash, without invisible
 * characters, at most 255 UTF-16 code units. Undefined if nothing usable is left.
 */
export function cleanFileName(given: string): string | undefined {
  const segment = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const seen = segment.toWellFormed().replaceAll('\ufffd', '').replace(UNSEEN, '').trim();
  const name = seen.slice(0, NAME_LENGTH_MAX).replace(/[\ud800-\udbff]$/, '');
  return /^\.{0,2}$/.test(name) ? undefined : name;
}
