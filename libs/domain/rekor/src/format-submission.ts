import { canonicalize, formatBase64, utf8 } from '@answer-evidence/encoding';

/** A hash, and a signature by a key that nobody has to know: a log takes nothing that is not signed. */
export type Submission = {
  /** SHA-256 of what is logged. */
  readonly digest: Uint8Array;
  /** ECDSA over P-256 in DER, over what has that digest. */
  readonly signature: Uint8Array;
  /** The key in DER (SubjectPublicKeyInfo). */
  readonly publicKey: Uint8Array;
};

/** The body of `POST /api/v2/log/entries`: a hashedrekord of version 0.0.2. */
export function formatSubmission({ digest, signature, publicKey }: Submission): Uint8Array {
  const verifier = { keyDetails: 'PKIX_ECDSA_P256_SHA_256', publicKey: { rawBytes: formatBase64(publicKey) } };
  const request = { digest: formatBase64(digest), signature: { content: formatBase64(signature), verifier } };
  return utf8(canonicalize({ hashedRekordRequestV002: request }));
}
