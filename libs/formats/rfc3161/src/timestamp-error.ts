/** Why a token is not believed, or a pinned certificate cannot be one. */
export type TimestampFault =
  /** More bytes, certificates or signatures than anything honest needs. */
  | 'too_large'
  /** Not DER, or not of the structure that the specification gives. */
  | 'malformed'
  | 'status_not_granted'
  /** What was signed is not a TSTInfo. */
  | 'wrong_content_type'
  | 'wrong_imprint_algorithm'
  | 'digest_mismatch'
  | 'nonce_mismatch'
  /** A hash, signature scheme or curve that is not read here, or one that is broken, such as SHA-1. */
  | 'unsupported_algorithm'
  | 'weak_key'
  /** The token does not carry the certificate that it says it was signed with. */
  | 'signer_not_found'
  /** Signed attributes are missing, doubled, or of another content. */
  | 'wrong_signed_attributes'
  | 'content_digest_mismatch'
  /** ESSCertID or ESSCertIDv2 names another certificate than the one found. */
  | 'signing_certificate_mismatch'
  | 'signature_invalid'
  /** The signer's certificate is not one for time-stamping only. */
  | 'wrong_key_usage'
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'unknown_critical_extension'
  /** A certificate above the signer's may not issue it. */
  | 'not_an_issuer'
  /** No chain leads to a pinned certificate. */
  | 'untrusted'
  | 'time_in_future'
  | 'bad_pinned_certificate';

/** A time-stamp response that is not believed; the message says why, and quotes nothing of it. */
export class TimestampError extends Error {
  override readonly name = 'TimestampError';
  readonly fault: TimestampFault;

  constructor(fault: TimestampFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
