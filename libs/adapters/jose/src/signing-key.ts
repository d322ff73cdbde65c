import { calculateJwkThumbprint } from 'jose';
import { concatBytes, parseHex } from '@answer-evidence/encoding';

/** A public key as it is published (RFC 8037). */
type PublicJwk = { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string };

/** A seed made ready for signing. The private key cannot be exported again. */
export type ImportedKey = {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: PublicJwk;
};

const SEED_BYTES = 32;
/** DER before the seed of a PKCS#8 Ed25519 private key (RFC 8410 section 7). */
const PKCS8_PREFIX = parseHex('302e020100300506032b657004220420');

/** Imports a seed. Throws when it is not of 32 bytes. */
export async function importSeed(seed: Uint8Array): Promise<ImportedKey> {
  if (seed.length !== SEED_BYTES) throw new Error('an Ed25519 seed must have 32 bytes');
  const der = new Uint8Array(concatBytes(PKCS8_PREFIX, seed));
  // Web Crypto gives a public key only through the export of a private one.
  const exportable = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', true, ['sign']);
  const { x } = await crypto.subtle.exportKey('jwk', exportable);
  if (x === undefined) throw new Error('an Ed25519 key was exported without its public part');
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x };
  const privateKey = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']);
  const publicKey = await crypto.subtle.importKey('jwk', publicJwk, 'Ed25519', true, ['verify']);
  der.fill(0);
  return { privateKey, publicKey, publicJwk };
}

/** The key id of a seed: the RFC 7638 thumbprint of its public key. */
export async function thumbprintOf(seed: Uint8Array): Promise<string> {
  return calculateJwkThumbprint((await importSeed(seed)).publicJwk);
}
