import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { concatBytes, parseHex, utf8 } from '@answer-evidence/encoding';
import { cacheKeys } from './cache-keys.ts';

/** Signs with one key, whose seed is not kept. */
type Signer = {
  readonly publicKey: Uint8Array;
  sign(message: string | Uint8Array): Uint8Array;
};

/** What tells algorithms apart: two lengths, and in hex what the DER of a key has before the seed or the public key. */
type Form = {
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
  readonly pkcs8Prefix: string;
  readonly spkiPrefix: string;
};

/** An algorithm of `node:crypto` whose private keys are 32-byte seeds. */
export function createSignatureAlgorithm(form: Form) {
  const pkcs8Prefix = parseHex(form.pkcs8Prefix);
  const spkiPrefix = parseHex(form.spkiPrefix);

  const findKeyObject = cacheKeys((publicKey): KeyObject =>
    createPublicKey({ key: Buffer.from(concatBytes(spkiPrefix, publicKey).buffer), format: 'der', type: 'spki' }),
  );

  return {
    createSigner: (seed: Uint8Array): Signer => {
      const der = Buffer.from(concatBytes(pkcs8Prefix, seed).buffer);
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      der.fill(0);
      const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
      return {
        publicKey: new Uint8Array(spki.subarray(spkiPrefix.length)),
        sign: (message) =>
          new Uint8Array(sign(null, typeof message === 'string' ? utf8(message) : message, privateKey)),
      };
    },

    /** Whether the signature is valid for the message and the public key. False for malformed input. */
    verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
      publicKey.length === form.publicKeyBytes &&
      signature.length === form.signatureBytes &&
      verify(null, message, findKeyObject(publicKey), signature),
  };
}
