/**
 * Whether the signature over the message is valid under the 32-byte public key (Ed25519, RFC 8032). Uses WebCrypto,
 * which Node and browsers share. Returns false for malformed keys and signatures; throws on a platform without Ed25519.
 */
export async function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), 'Ed25519', false, ['verify']);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataError') return false;
    throw error;
  }
  return crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), new Uint8Array(message));
}
