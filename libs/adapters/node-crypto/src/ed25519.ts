import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { concatBytes, parseHex, utf8 } from '@answer-evidence/encoding';
import { cacheKeys } from './cache-keys.ts';

/** Length of an Ed25519 seed, and of a public key. */
export const ED25519_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

// RFC 8410: all of the DER form but the key itself, which stands last.
const PKCS8_PREFIX = parseHex('302e020100300506032b657004220420');
const SPKI_PREFIX = parseHex('302a300506032b6570032100');

/** Signs with one Ed25519 seed; the seed is not kept. */
export type Ed25519Signer = {
  readonly publicKey: Uint8Array;
  sign(message: string | Uint8Array): Uint8Array;
};

/** A signer for the 32-byte seed (RFC 8032 section 5.1.5). */
export function createEd25519Signer(seed: Uint8Array): Ed25519Signer {
  const der = Buffer.from(concatBytes(PKCS8_PREFIX, seed).buffer);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    publicKey: new Uint8Array(spki.subarray(SPKI_PREFIX.length)),
    sign: (message) => new Uint8Array(sign(null, typeof message === 'string' ? utf8(message) : message, privateKey)),
  };
}

const findKeyObject = cacheKeys((publicKey): KeyObject =>
  createPublicKey({ key: Buffer.from(concatBytes(SPKI_PREFIX, publicKey).buffer), format: 'der', type: 'spki' }),
);

/** Whether the signature is valid for the message and the 32-byte public key (RFC 8032). False for malformed input. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== ED25519_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  return verify(null, message, findKeyObject(publicKey), signature);
}
