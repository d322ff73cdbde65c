import { createHmac, type KeyObject } from 'node:crypto';
import { utf8 } from '@answer-evidence/encoding';

/** HMAC-SHA-256 of a text's UTF-8 under a key that is parsed once: half the time of two one-shot hashes over a padded key. */
export function hmac(key: KeyObject, text: string): Uint8Array {
  if (!text.isWellFormed()) utf8(text);
  return new Uint8Array(createHmac('sha256', key).update(text, 'utf8').digest());
}
