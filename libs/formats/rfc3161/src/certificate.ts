import { equalBytes } from '@answer-evidence/encoding';
import { type AlgorithmIdentifier, readAlgorithm } from './algorithms.ts';
import { contextConstructed, contextPrimitive, type DerNode, malformed, parseDer, TAG } from './der.ts';
import { type Extensions, readExtensions } from './extensions.ts';
import { createFields, onlyChild, readExplicitInteger, readOctetsOfBitString } from './fields.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';
import { readBound } from './time.ts';

/** An X.509 certificate (RFC 5280), as far as a chain to a time-stamping authority needs it. */
export type Certificate = {
  readonly raw: Uint8Array;
  /** What its signature is over. */
  readonly tbs: Uint8Array;
  /** Content of the INTEGER. */
  readonly serialNumber: Uint8Array;
  /** DER of the names. Names are the same when their bytes are: no folding of case, no other string types. */
  readonly issuer: Uint8Array;
  readonly subject: DerNode;
  readonly notBeforeMicros: number;
  readonly notAfterMicros: number;
  /** Read when it is needed: a token may carry certificates of kinds that are not read here and not needed either. */
  readonly publicKey: () => PublicKey;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  readonly isVersion3: boolean;
  readonly extensions: Extensions;
};

const VERSION_3 = 2;

/** Reads a certificate. Throws `TimestampError`. */
export function parseCertificate(der: Uint8Array): Certificate {
  return readCertificate(parseDer(der));
}

/** Reads a certificate that is a part of something else. Throws `TimestampError`. */
export function readCertificate(node: DerNode): Certificate {
  const what = 'a certificate';
  const outer = createFields(node, what);
  const tbs = outer.take(TAG.sequence);
  const signatureAlgorithm = readAlgorithm(outer.take(TAG.sequence));
  const signature = readOctetsOfBitString(outer.take(TAG.bitString), what);
  outer.end();

  const fields = createFields(tbs, what);
  const versionField = fields.optional(contextConstructed(0));
  const version = versionField === undefined ? 0 : readExplicitInteger(versionField, what);
  const serialNumber = fields.take(TAG.integer).content;
  const innerAlgorithm = fields.take(TAG.sequence);
  const issuer = fields.take(TAG.sequence);
  const validity = createFields(fields.take(TAG.sequence), what);
  const notBefore = validity.take(TAG.utcTime, TAG.generalizedTime);
  const notAfter = validity.take(TAG.utcTime, TAG.generalizedTime);
  validity.end();
  const subject = fields.take(TAG.sequence);
  const spki = fields.take(TAG.sequence);
  fields.optional(contextPrimitive(1));
  fields.optional(contextPrimitive(2));
  const extensions = fields.optional(contextConstructed(3));
  fields.end();
  // Only the inner one is signed (RFC 5280 section 4.1.1.2).
  if (!equalBytes(innerAlgorithm.raw, signatureAlgorithm.raw)) throw malformed('a certificate of two algorithms');
  if (extensions !== undefined && version !== VERSION_3) throw malformed('extensions in an old certificate');
  return {
    raw: node.raw,
    tbs: tbs.raw,
    serialNumber,
    issuer: issuer.raw,
    subject,
    notBeforeMicros: readBound(notBefore, what),
    notAfterMicros: readBound(notAfter, what),
    publicKey: () => readPublicKey(spki),
    signatureAlgorithm,
    signature,
    isVersion3: version === VERSION_3,
    extensions: readExtensions(extensions === undefined ? undefined : onlyChild(extensions, what)),
  };
}
