import { equalBytes, formatHex } from '@answer-evidence/encoding';
import { digestOf, hashOf, imprintOf } from './algorithms.ts';
import { readCertificate } from './certificate.ts';
import { verifyChain } from './chain.ts';
import { type DerNode, TAG } from './der.ts';
import { describeName } from './name.ts';
import { readPinnedCertificates } from './pins.ts';
import { nonceInteger } from './request.ts';
import { readToken } from './response.ts';
import type { RevocationStatement } from './revocation.ts';
import { readRevocations } from './revocation-list.ts';
import { readSignedData, type SignerInfo } from './signed-data.ts';
import { assertSigningCertificate, assertTimeStampingCertificate, findSigner } from './signer.ts';
import { TimestampError } from './timestamp-error.ts';
import { parseTstInfo, type TstInfo } from './tst-info.ts';
import { verifySignature } from './verify-signature.ts';

/** What a response is held against. */
export type TimestampExpectation = {
  /** SHA-256 of what was stamped, or SHA-512, which its length tells. */
  readonly digest: Uint8Array;
  /** The nonce that was sent, when it is known: it shows that the response was made for this request. */
  readonly nonce?: Uint8Array;
  /** PEM texts; trust begins with the certificates in them, and with nothing that the response carries. */
  readonly rootsPem: readonly string[];
  /** The verifier's own time, when it has one: a time-stamp from after it, by more than five minutes, is refused. */
  readonly nowMicros?: number;
};

/** What a response that is believed says. */
export type VerifiedTimestamp = {
  readonly genTimeMicros: number;
  /** How far off the time may be to either side; undefined when the authority does not say. */
  readonly accuracyMicros: number | undefined;
  readonly policyOid: string;
  /** Hex. */
  readonly serialNumber: string;
  /** The subject of the certificate that signed, for people to read. */
  readonly authority: string;
  /** SHA-256 of the pinned certificate that trust began with, hex. */
  readonly pinSha256: string;
  /** The second in which the first certificate of the chain ends, which is still within its validity. */
  readonly endsAtMicros: number;
  /** The token, a ContentInfo (DER) without the response around it: what later time-stamps cover. */
  readonly token: Uint8Array;
  /** What revocation lists (DER) that an issuer of the chain signed say of its certificates; others say nothing. */
  readonly readRevocations: (lists: readonly Uint8Array[]) => Promise<readonly RevocationStatement[]>;
};

const OID_TST_INFO = '1.2.840.113549.1.9.16.1.4';
const OID_CONTENT_TYPE = '1.2.840.113549.1.9.3';
const OID_MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const CLOCK_SKEW_MICROS = 5 * 60 * 1_000_000;

/**
 * Verifies a TimeStampResp (RFC 3161, DER) offline: granted, over this digest, signed by an authority for time-stamping
 * whose certificate was valid at the stamped time and leads to a pinned one. Whether a certificate was revoked is not
 * looked at. Everything about the response is an attacker's; time and memory are bounded by its size, at most 64 KiB.
 * Throws `TimestampError` with the first fault.
 */
export async function verifyTimestamp(
  responseDer: Uint8Array,
  expectation: TimestampExpectation,
): Promise<VerifiedTimestamp> {
  const pins = expectation.rootsPem.flatMap(readPinnedCertificates);
  const token = readToken(responseDer);
  const signedData = readSignedData(token);
  if (signedData.contentType !== OID_TST_INFO) {
    throw new TimestampError('wrong_content_type', 'the signed content is not a time-stamp');
  }
  const tstInfo = parseTstInfo(signedData.content);
  assertExpected(tstInfo, expectation);
  await assertSignedContent(signedData.signer, signedData.content);

  const carried = signedData.certificates.map(readCertificate);
  const certificate = findSigner(signedData.signer.identifier, [...carried, ...pins]);
  const { signer } = signedData;
  const contentHash = hashOf(signer.digestAlgorithm);
  await verifySignature(
    certificate.publicKey(),
    signer.signatureAlgorithm,
    signer.signedBytes,
    signer.signature,
    contentHash,
  );
  await assertSigningCertificate(signer, certificate);
  assertTimeStampingCertificate(certificate);
  const chain = await verifyChain(certificate, { intermediates: carried, pins, atMicros: tstInfo.genTimeMicros });
  const pin = chain.at(-1) ?? certificate;
  return {
    genTimeMicros: tstInfo.genTimeMicros,
    accuracyMicros: tstInfo.accuracyMicros,
    policyOid: tstInfo.policyOid,
    serialNumber: formatHex(tstInfo.serialNumber),
    authority: describeName(certificate.subject),
    pinSha256: formatHex(await digestOf('SHA-256', pin.raw)),
    endsAtMicros: Math.min(...chain.map(({ notAfterMicros }) => notAfterMicros)),
    token: token.raw,
    readRevocations: (lists) => readRevocations(chain, lists),
  };
}

/** `verifyTimestamp` for verifiers of bundles and ledgers: over a digest, by pinned certificates, without a clock. */
export function verifyTimestampOver(
  responseDer: Uint8Array,
  digest: Uint8Array,
  rootsPem: readonly string[],
): Promise<VerifiedTimestamp> {
  return verifyTimestamp(responseDer, { digest, rootsPem });
}

function assertExpected(tstInfo: TstInfo, { digest, nonce, nowMicros }: TimestampExpectation): void {
  const { oid, name } = imprintOf(digest);
  if (tstInfo.imprintAlgorithm.oid !== oid) {
    throw new TimestampError('wrong_imprint_algorithm', `the time-stamp is not over a ${name} digest`);
  }
  if (!equalBytes(tstInfo.imprint, digest)) {
    throw new TimestampError('digest_mismatch', 'the time-stamp is over another digest');
  }
  if (nonce !== undefined && (tstInfo.nonce === undefined || !equalBytes(tstInfo.nonce, nonceInteger(nonce)))) {
    throw new TimestampError('nonce_mismatch', 'the time-stamp was not made for this request');
  }
  if (tstInfo.hasCriticalExtension) {
    throw new TimestampError('unknown_critical_extension', 'the time-stamp has a critical extension');
  }
  if (nowMicros !== undefined && tstInfo.genTimeMicros > nowMicros + CLOCK_SKEW_MICROS) {
    throw new TimestampError('time_in_future', 'the time-stamp is from the future');
  }
}

/** The signature is over the signed attributes; they bind the content by its type and digest (RFC 5652 section 5.4). */
async function assertSignedContent(
  { signedAttributes, digestAlgorithm }: SignerInfo,
  content: Uint8Array,
): Promise<void> {
  if (readAttribute(signedAttributes, OID_CONTENT_TYPE, TAG.oid).oid !== OID_TST_INFO) {
    throw new TimestampError('wrong_signed_attributes', 'the signed content type is not that of a time-stamp');
  }
  const stated = readAttribute(signedAttributes, OID_MESSAGE_DIGEST, TAG.octetString).content;
  if (!equalBytes(stated, await digestOf(hashOf(digestAlgorithm), content))) {
    throw new TimestampError('content_digest_mismatch', 'the signed digest does not match the content');
  }
}

function readAttribute(attributes: ReadonlyMap<string, DerNode>, type: string, tag: number): DerNode {
  const value = attributes.get(type);
  if (value?.tag !== tag) {
    throw new TimestampError('wrong_signed_attributes', 'a signed attribute is missing or malformed');
  }
  return value;
}
