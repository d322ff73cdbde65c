/** The strong entity tag (RFC 9110 section 8.8.3) of a version of the policy. */
export function formatSettingsTag(version: number): string {
  return `"v${version}"`;
}

/**
 * Whether an If-Match header (RFC 9110 section 13.1.1) lets a request go on at this version. Compared strongly: a weak
 * tag matches nothing, and neither does a tag without its quotes. Our own tags hold no comma, so splitting a
 * well-formed list at commas never makes one of them out of parts of others.
 */
export function isMatch(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  const current = formatSettingsTag(version);
  return ifMatch.split(',').some((tag) => tag.trim() === current);
}
