import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { concatBytes, parseHex } from '@answer-evidence/encoding';
import { cacheKeys } from './cache-keys.ts';

/** Lengths of ML-DSA-44 (FIPS 204, table 2): of a public key and a signature; and of the seed that a key is made of. */
export const ML_DSA_44 = { publicKeyBytes: 1312, signatureBytes: 2420, seedBytes: 32 } as const;

// RFC 9881: all of the DER form but the seed or the key itself, which stands last.
const PKCS8_PREFIX = parseHex('3034020100300b060960864801650304031104228020');
const SPKI_PREFIX = parseHex('30820532300b06096086480165030403110382052100');

/** Signs with one ML-DSA-44 key; its seed is not kept. */
type MlDsa44Signer = {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
};

/** A signer for the 32-byte seed (FIPS 204, algorithm 1), without a context. */
export function createMlDsa44Signer(seed: Uint8Array): MlDsa44Signer {
  const der = Buffer.from(concatBytes(PKCS8_PREFIX, seed).buffer);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    publicKey: new Uint8Array(spki.subarray(SPKI_PREFIX.length)),
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}

const findKeyObject = cacheKeys((publicKey): KeyObject =>
  createPublicKey({ key: Buffer.from(concatBytes(SPKI_PREFIX, publicKey).buffer), format: 'der', type: 'spki' }),
);

/** Whether the signature is valid for the message and the 1,312-byte public key. False for malformed input. */
export function verifyMlDsa44(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== ML_DSA_44.publicKeyBytes || signature.length !== ML_DSA_44.signatureBytes) return false;
  return verify(null, message, findKeyObject(publicKey), signature);
}
