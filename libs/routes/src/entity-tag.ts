/**
 * Whether an If-Match header (RFC 9110 section 13.1.1) lets a request go on where the strong entity tag is `current`.
 * Compared strongly: a weak tag matches nothing, and neither does a tag without its quotes. Our own tags hold no comma,
 * so splitting a well-formed list at commas never makes one of them out of parts of others.
 */
export function isMatch(ifMatch: string | undefined, current: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((tag) => tag.trim() === current);
}
