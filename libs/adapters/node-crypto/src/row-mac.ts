import { EncodingError } from '@answer-evidence/encoding';
import type { Hmac } from './hmac.ts';

/** One value of a row. */
type MacPart = string | number | Uint8Array;

/**
 * HMAC-SHA-256 over the label and the parts, each as its type, its length and itself, so that no two lists of parts are
 * one message. A number stands as JavaScript writes it. Throws `EncodingError` for half a surrogate pair and numbers
 * that are not finite.
 */
export function macOf(hmac: Hmac, label: string, parts: readonly MacPart[]): Uint8Array {
  let message = formatPart(label);
  for (const part of parts) message += formatPart(part);
  return hmac(message);
}

function formatPart(part: MacPart): string {
  if (typeof part === 'string') return `s${part.length}:${part}`;
  if (typeof part === 'number') {
    if (!Number.isFinite(part)) throw new EncodingError('a number is not finite');
    const digits = String(part);
    return `n${digits.length}:${digits}`;
  }
  // Node's own takes an eighth of the memory of the encoding package's, and runs for each row.
  return `b${part.length}:${Buffer.from(part.buffer, part.byteOffset, part.length).toString('hex')}`;
}
