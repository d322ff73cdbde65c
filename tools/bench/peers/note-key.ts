import { generateKeyPairSync } from 'node:crypto';
import { createVkey, ED25519, formatVkey } from '@answer-evidence/note';

const NAME = 'peer.example/log';

/**
 * A new key that signs notes, in the text of Go's `golang.org/x/mod/sumdb/note`: `PRIVATE+KEY+`, name and hash of the
 * public key, and the algorithm's byte with the seed in base64.
 */
export function createNoteKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const vkey = formatVkey(createVkey(NAME, ED25519, Buffer.from(x, 'base64url')));
  const named = vkey.slice(0, vkey.indexOf('+', vkey.indexOf('+') + 1));
  const seed = Buffer.concat([Buffer.of(ED25519), Buffer.from(d, 'base64url')]);
  return `PRIVATE+KEY+${named}+${seed.toString('base64')}`;
}
