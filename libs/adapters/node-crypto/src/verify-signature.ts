import { verifyEd25519 } from './ed25519.ts';
import { ML_DSA_44, verifyMlDsa44 } from './ml-dsa-44.ts';

/** Whether the signature is valid, by Ed25519 or ML-DSA-44 as the length of the public key says. */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const verify = publicKey.length === ML_DSA_44.publicKeyBytes ? verifyMlDsa44 : verifyEd25519;
  return verify(publicKey, message, signature);
}
