import { createHmac } from 'node:crypto';

/**
 * Stands for a person or a session without naming them: an HMAC-SHA-256 under a secret of yours. A plain hash of an id
 * can be found by trying ids.
 */
export function hashId(secret: string, id: string): string {
  if (secret === '') throw new TypeError('the secret must not be empty: without it, anyone can try ids');
  return `hmac-sha256:${createHmac('sha256', secret).update(id).digest('hex')}`;
}
