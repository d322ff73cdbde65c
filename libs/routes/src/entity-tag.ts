import { formatBase64Url } from '@answer-evidence/encoding';

const TAG_BYTES = 16;

/**
 * Whether an If-Match header (RFC 9110 section 13.1.1) lets a request go on where the strong entity tag is `current`.
 * Compared strongly: a weak tag matches nothing, and neither does a tag without its quotes. Our own tags hold no comma,
 * so splitting a well-formed list at commas never makes one of them out of parts of others.
 */
export function isMatch(ifMatch: string | undefined, current: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((tag) => tag.trim() === current);
}

/**
 * Whether an If-None-Match header (RFC 9110 section 13.1.2) says that the caller has what `current` stands for.
 * Compared weakly, so that a tag that a proxy weakened on compressing still matches.
 */
export function isKnown(ifNoneMatch: string | undefined, current: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = withoutWeakness(current);
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => withoutWeakness(tag.trim()) === opaque);
}

/** A weak entity tag of a digest: what has the same digest is equal in meaning, if not in every byte. */
export function formatWeakTag(digest: Uint8Array): string {
  return `W/"${formatBase64Url(digest.subarray(0, TAG_BYTES))}"`;
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
