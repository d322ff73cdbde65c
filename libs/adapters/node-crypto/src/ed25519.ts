import { createSignatureAlgorithm } from './signature-algorithm.ts';

/** Length of an Ed25519 seed, and of a public key. */
export const ED25519_KEY_BYTES = 32;

/** RFC 8032, with the DER forms of RFC 8410. */
export const { createSigner: createEd25519Signer, verify: verifyEd25519 } = createSignatureAlgorithm({
  publicKeyBytes: ED25519_KEY_BYTES,
  signatureBytes: 64,
  pkcs8Prefix: '302e020100300506032b657004220420',
  spkiPrefix: '302a300506032b6570032100',
});
