import { generateKeyPairSync, sign } from 'node:crypto';

/**
 * Signs by a key that is made for this and forgotten, ECDSA over P-256: of what Rekor v2 takes, the one that Node signs
 * with and every client reads (plain Ed25519 is refused). The entry vouches for the hash; anyone could add another one,
 * and no verifier asks by which key. So there is none to keep (decision 0139).
 */
export function signOnce(message: Uint8Array): { readonly signature: Uint8Array; readonly publicKey: Uint8Array } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    signature: new Uint8Array(sign('sha256', message, privateKey)),
    publicKey: new Uint8Array(publicKey.export({ format: 'der', type: 'spki' })),
  };
}
