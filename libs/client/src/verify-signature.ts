import { verifyEd25519 } from './verify-ed25519.ts';

const ML_DSA_44_KEY_BYTES = 1312;

/**
 * Whether the signature over the message is valid under the public key: Ed25519 (RFC 8032) for one of 32 bytes,
 * ML-DSA-44 (FIPS 204, without a context) for one of 1,312. Returns false for malformed keys and signatures; throws on
 * a platform without Ed25519.
 */
export async function verifySignature(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (publicKey.length !== ML_DSA_44_KEY_BYTES) return verifyEd25519(publicKey, message, signature);
  // WebCrypto has it in few places yet. Loaded where a checkpoint has such a signature, which few have.
  const { ml_dsa44: mlDsa44 } = await import('@noble/post-quantum/ml-dsa.js');
  return signature.length === mlDsa44.lengths.signature && mlDsa44.verify(signature, message, publicKey);
}
