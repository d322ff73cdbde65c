import { createSignatureAlgorithm } from './signature-algorithm.ts';

/** Lengths of ML-DSA-44 (FIPS 204, table 2): of a public key and a signature. */
export const ML_DSA_44 = { publicKeyBytes: 1312, signatureBytes: 2420 } as const;

/** FIPS 204 without a context, with the DER forms of RFC 9881. */
export const { createSigner: createMlDsa44Signer, verify: verifyMlDsa44 } = createSignatureAlgorithm({
  ...ML_DSA_44,
  pkcs8Prefix: '3034020100300b060960864801650304031104228020',
  spkiPrefix: '30820532300b06096086480165030403110382052100',
});
