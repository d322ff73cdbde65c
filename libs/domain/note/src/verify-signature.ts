/**
 * Whether the signature is one of the message by the public key: 32 bytes of Ed25519 (RFC 8032), or 1,312 of ML-DSA-44
 * (FIPS 204, without a context).
 */
export type VerifySignature = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;
