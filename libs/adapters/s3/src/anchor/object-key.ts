import { formatHex } from '@answer-evidence/encoding';
import { parseCheckpoint } from '@answer-evidence/note';

/** S3 allows 1024 bytes; the tree size and the digest take less than 100. */
const ORIGIN_LENGTH_MAX = 200;

/** `<prefix>/<origin>/<tree size>-<digest>`, of portable letters; undefined for segments that URLs would resolve. */
export function objectKeyOf(prefix: string, checkpointText: string, digest: Uint8Array): string | undefined {
  const { origin, size } = parseCheckpoint(checkpointText);
  const segments = prefix.replace(/\/$/, '').split('/');
  if (prefix !== '' && segments.some((segment) => /^\.{0,2}$/.test(segment))) return undefined;
  // Two origins may come to the same text; their checkpoints differ, and with them the digests.
  const folder = origin.replace(/[^A-Za-z0-9-]+/g, '_').slice(0, ORIGIN_LENGTH_MAX);
  return [...(prefix === '' ? [] : segments), folder, `${size}-${formatHex(digest)}`].join('/');
}
