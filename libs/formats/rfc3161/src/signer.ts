import { equalBytes } from '@answer-evidence/encoding';
import { digestOf, hashOf, readAlgorithm } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import { contextConstructed, type DerNode, malformed, TAG } from './der.ts';
import { KEY_USAGE } from './extensions.ts';
import { assertTag, createFields, onlyChild } from './fields.ts';
import type { SignerIdentifier, SignerInfo } from './signed-data.ts';
import { TimestampError } from './timestamp-error.ts';

const OID_SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const OID_SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const OID_TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/** The certificate that the SignerInfo names, among those at hand. Throws `TimestampError`. */
export function findSigner(identifier: SignerIdentifier, certificates: readonly Certificate[]): Certificate {
  const found = certificates.find((certificate) => isNamed(certificate, identifier));
  if (found === undefined) throw new TimestampError('signer_not_found', "the signer's certificate is not in the token");
  return found;
}

function isNamed(certificate: Certificate, identifier: SignerIdentifier): boolean {
  if (identifier.kind === 'key-identifier') {
    const own = certificate.extensions.subjectKeyIdentifier;
    return own !== undefined && equalBytes(own, identifier.keyIdentifier);
  }
  return (
    equalBytes(certificate.issuer, identifier.issuer) && equalBytes(certificate.serialNumber, identifier.serialNumber)
  );
}

/** Throws `TimestampError` unless the certificate is critically for time-stamping alone (RFC 3161 section 2.3). */
export function assertTimeStampingCertificate({ extensions }: Certificate): void {
  const purposes = extensions.extendedKeyUsage;
  if (purposes === undefined) throw wrongUsage('it does not state its purpose');
  if (!purposes.isCritical) throw wrongUsage('its purpose is not critical');
  if (purposes.purposes.length !== 1 || purposes.purposes[0] !== OID_TIME_STAMPING) {
    throw wrongUsage('it has purposes other than time-stamping');
  }
  const { keyUsage, basicConstraints } = extensions;
  if (basicConstraints?.isCa === true) throw wrongUsage('it is that of an authority over certificates');
  if (keyUsage !== undefined && !keyUsage(KEY_USAGE.digitalSignature) && !keyUsage(KEY_USAGE.nonRepudiation)) {
    throw wrongUsage('its key is not for signatures');
  }
  if (extensions.hasUnread) {
    throw new TimestampError(
      'unknown_critical_extension',
      "the signer's certificate has an unknown critical extension",
    );
  }
}

function wrongUsage(reason: string): TimestampError {
  return new TimestampError('wrong_key_usage', `the signer's certificate is not valid for an authority: ${reason}`);
}

/**
 * Throws `TimestampError` unless the signed attributes name this very certificate, by ESSCertID (RFC 2634), by
 * ESSCertIDv2 (RFC 5035), or by both. Without it, a certificate of the same name and key, but for other purposes, could
 * be put in its place. The SHA-1 of an ESSCertID is no signature: what is hashed was found and verified by other means.
 */
export async function assertSigningCertificate(signer: SignerInfo, certificate: Certificate): Promise<void> {
  const first = signer.signedAttributes.get(OID_SIGNING_CERTIFICATE);
  const second = signer.signedAttributes.get(OID_SIGNING_CERTIFICATE_V2);
  if (first === undefined && second === undefined) {
    throw new TimestampError('wrong_signed_attributes', 'no signed attribute names the certificate of the signer');
  }
  if (first !== undefined) await assertCertId(firstCertId(first), certificate, false);
  if (second !== undefined) await assertCertId(firstCertId(second), certificate, true);
}

/** The first of the certificates named is the signer's; others may follow. */
function firstCertId(attribute: DerNode): DerNode {
  const what = 'a signing certificate attribute';
  const list = createFields(attribute, what).take(TAG.sequence);
  const [first] = list.children;
  assertTag(first, TAG.sequence, what);
  return first;
}

async function assertCertId(node: DerNode, certificate: Certificate, isVersion2: boolean): Promise<void> {
  const fields = createFields(node, 'an ESSCertID');
  const algorithm = isVersion2 ? fields.optional(TAG.sequence) : undefined;
  const hash = fields.take(TAG.octetString).content;
  const issuerSerial = fields.optional(TAG.sequence);
  fields.end();
  const version2Hash = algorithm === undefined ? 'SHA-256' : hashOf(readAlgorithm(algorithm));
  const actual = await digestOf(isVersion2 ? version2Hash : 'SHA-1', certificate.raw);
  if (!equalBytes(hash, actual) || (issuerSerial !== undefined && !isIssuerSerial(issuerSerial, certificate))) {
    throw new TimestampError('signing_certificate_mismatch', 'the signed attributes name another certificate');
  }
}

/** IssuerSerial (RFC 5035 section 4): one directory name, and the serial number. */
function isIssuerSerial(node: DerNode, certificate: Certificate): boolean {
  const what = 'an IssuerSerial';
  const fields = createFields(node, what);
  const name = onlyChild(fields.take(TAG.sequence), what);
  const serialNumber = fields.take(TAG.integer).content;
  fields.optional(TAG.bitString);
  fields.end();
  if (name.tag !== contextConstructed(4)) throw malformed(what);
  return (
    equalBytes(onlyChild(name, what).raw, certificate.issuer) && equalBytes(serialNumber, certificate.serialNumber)
  );
}
