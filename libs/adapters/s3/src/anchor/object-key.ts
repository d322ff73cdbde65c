import { formatHex } from '@answer-evidence/encoding';

/** S3 allows 1024 bytes; what comes below takes less than 150. */
const ORIGIN_LENGTH_MAX = 200;
/** As many as the largest size has. */
const RANK_DIGITS = 16;

/** `<prefix>/<origin>/newest-first/`, of portable letters; undefined for segments that URLs would resolve. */
export function folderOf(prefix: string, origin: string): string | undefined {
  const segments = prefix.replace(/\/$/, '').split('/');
  if (prefix !== '' && segments.some((segment) => /^\.{0,2}$/.test(segment))) return undefined;
  // Two origins may come to the same text; their checkpoints differ, and with them the digests.
  const log = origin.replace(/[^A-Za-z0-9-]+/g, '_').slice(0, ORIGIN_LENGTH_MAX);
  return [...(prefix === '' ? [] : segments), log, 'newest-first', ''].join('/');
}

/** `<rank>-<tree size>-<digest>`: a store lists names in order, so the rank of a larger tree is the smaller. */
export function objectNameOf(size: number, digest: Uint8Array): string {
  const rank = String(Number.MAX_SAFE_INTEGER - size).padStart(RANK_DIGITS, '0');
  return `${rank}-${size}-${formatHex(digest)}`;
}
