import { equalBytes } from '@answer-evidence/encoding';
import { type AlgorithmIdentifier, digestOf, hashOf, readAlgorithm } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import type { CertificateChain } from './chain.ts';
import { contextConstructed, contextPrimitive, type DerNode, malformed, parseDer, TAG } from './der.ts';
import { KEY_USAGE } from './extensions.ts';
import { createFields, type Fields, onlyChild, readExplicitInteger, readOctetsOfBitString, readOid } from './fields.ts';
import {
  asNothing,
  isHarmlessReason,
  refuseCritical,
  type Revocation,
  type RevocationStatement,
} from './revocation.ts';
import { readTime } from './time.ts';
import { TimestampError } from './timestamp-error.ts';
import { verifySignature } from './verify-signature.ts';

/** What a responder says of one certificate (RFC 6960 section 4.2.1). */
type SingleResponse = {
  readonly hash: AlgorithmIdentifier;
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  readonly serialNumber: Uint8Array;
  /** Undefined for one that is good, or that the responder does not know. */
  readonly revocation: Revocation | undefined;
  readonly thisUpdateMicros: number;
  readonly nextUpdateMicros: number | undefined;
};

/** BasicOCSPResponse, as far as it is read. */
type OcspResponse = {
  readonly tbs: Uint8Array;
  /** The name of the responder, or the SHA-1 of its key. */
  readonly responder: { readonly name: Uint8Array } | { readonly keyHash: Uint8Array };
  readonly producedAtMicros: number;
  readonly singles: readonly SingleResponse[];
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  readonly certificates: readonly Certificate[];
};

const OID_BASIC = '1.3.6.1.5.5.7.48.1.1';
const OID_OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const OID_SHA1 = '1.3.14.3.2.26';
const SUCCESSFUL = 0;
const CERTIFICATES_MAX = 8;
const SECOND_MICROS = 1_000_000;
/** By how much the clocks of two servers may differ. */
const TOLERANCE_MICROS = 300 * SECOND_MICROS;
const WHAT = 'a response of OCSP';

/**
 * What a response of OCSP says of a chain. It counts for certificates that the certificate above them in the chain
 * issued, if that one signed the response, or one that it issued for signing them. Anything else says nothing.
 */
export async function readOcspStatements(
  chain: CertificateChain,
  der: Uint8Array,
): Promise<readonly RevocationStatement[]> {
  const response = await asNothing(() => parseOcspResponse(der));
  if (response === undefined) return [];
  const statements: RevocationStatement[] = [];
  for (const [n, issuer] of chain.slice(1).entries()) {
    const below = chain[n];
    if (below === undefined) continue;
    const own = await asNothing(async () => {
      const found: SingleResponse[] = [];
      for (const single of response.singles) if (await isAbout(single, below, issuer)) found.push(single);
      return found.length > 0 && (await isSignedFor(response, issuer)) ? found : [];
    });
    if (own === undefined || own.length === 0) continue;
    statements.push({
      issuedAtMicros: response.producedAtMicros,
      revoked: own.flatMap(({ revocation }) => revocation ?? []),
    });
  }
  return statements;
}

/** Why a response is of no use at a time; undefined where it can be read, and is of that time. */
export async function describeOcspFault(der: Uint8Array, nowMicros: number): Promise<string | undefined> {
  const response = await asNothing(() => parseOcspResponse(der));
  if (response === undefined) return 'the response is none that can be read, or a refusal';
  const isCurrent = response.singles.every(
    ({ thisUpdateMicros: from, nextUpdateMicros: until }) =>
      from <= nowMicros + TOLERANCE_MICROS && (until === undefined || until >= nowMicros - TOLERANCE_MICROS),
  );
  return isCurrent ? undefined : 'the response is of another time';
}

async function isAbout(single: SingleResponse, below: Certificate, issuer: Certificate): Promise<boolean> {
  if (!equalBytes(single.serialNumber, below.serialNumber)) return false;
  const hash = single.hash.oid === OID_SHA1 ? 'SHA-1' : hashOf(single.hash);
  return (
    equalBytes(single.issuerNameHash, await digestOf(hash, issuer.subject.raw)) &&
    equalBytes(single.issuerKeyHash, await digestOf(hash, keyBitsOf(issuer)))
  );
}

/** The octets of a subjectPublicKey, which CertID and ResponderID hash. */
export function keyBitsOf(certificate: Certificate): Uint8Array {
  const key = certificate.publicKey();
  return key.kind === 'rsa' ? key.key : key.point;
}

/** Whether the issuer signed a response, or one to whom it delegated that (RFC 6960 section 4.2.2.2). */
async function isSignedFor(response: OcspResponse, issuer: Certificate): Promise<boolean> {
  for (const signer of [issuer, ...response.certificates]) {
    const holds = await asNothing(async () => {
      if (!(await isNamed(response, signer))) return false;
      if (signer !== issuer) await assertDelegated(signer, issuer, response.producedAtMicros);
      await verifySignature(signer.publicKey(), response.signatureAlgorithm, response.tbs, response.signature);
      return true;
    });
    if (holds === true) return true;
  }
  return false;
}

async function isNamed({ responder }: OcspResponse, signer: Certificate): Promise<boolean> {
  return 'name' in responder
    ? equalBytes(responder.name, signer.subject.raw)
    : equalBytes(responder.keyHash, await digestOf('SHA-1', keyBitsOf(signer)));
}

async function assertDelegated(signer: Certificate, issuer: Certificate, atMicros: number): Promise<void> {
  const { extendedKeyUsage, keyUsage } = signer.extensions;
  const isGood =
    equalBytes(signer.issuer, issuer.subject.raw) &&
    extendedKeyUsage?.purposes.includes(OID_OCSP_SIGNING) === true &&
    keyUsage?.(KEY_USAGE.digitalSignature) !== false &&
    atMicros >= signer.notBeforeMicros &&
    atMicros < signer.notAfterMicros + SECOND_MICROS;
  if (!isGood) throw new TimestampError('untrusted', 'a responder to whom the issuer delegated nothing');
  await verifySignature(issuer.publicKey(), signer.signatureAlgorithm, signer.tbs, signer.signature);
}

function parseOcspResponse(der: Uint8Array): OcspResponse {
  const outer = createFields(parseDer(der), WHAT);
  const status = outer.take(TAG.enumerated).content;
  if (status.length !== 1 || status[0] !== SUCCESSFUL) throw malformed(WHAT);
  const typed = createFields(onlyChild(outer.take(contextConstructed(0)), WHAT), WHAT);
  outer.end();
  if (readOid(typed.take(TAG.oid), WHAT) !== OID_BASIC) throw malformed(WHAT);
  const basic = createFields(parseDer(typed.take(TAG.octetString).content), WHAT);
  typed.end();
  const tbs = basic.take(TAG.sequence);
  const signatureAlgorithm = readAlgorithm(basic.take(TAG.sequence));
  const signature = readOctetsOfBitString(basic.take(TAG.bitString), WHAT);
  const carried = basic.optional(contextConstructed(0));
  basic.end();
  const certificates = carried === undefined ? [] : childrenOf(onlyChild(carried, WHAT));
  if (certificates.length > CERTIFICATES_MAX) throw malformed(WHAT);
  const fields = createFields(tbs, WHAT);
  const version = fields.optional(contextConstructed(0));
  if (version !== undefined && readExplicitInteger(version, WHAT) !== 0) throw malformed(WHAT);
  const responder = readResponder(fields);
  const producedAtMicros = readTime(fields.take(TAG.generalizedTime), WHAT);
  const singles = fields.take(TAG.sequence).children.map(readSingle);
  readExtensionsOf(fields);
  fields.end();
  return {
    tbs: tbs.raw,
    responder,
    producedAtMicros,
    singles,
    signatureAlgorithm,
    signature,
    certificates: certificates.map(readCertificate),
  };
}

function childrenOf(node: DerNode): readonly DerNode[] {
  if (node.tag !== TAG.sequence) throw malformed(WHAT);
  return node.children;
}

function readResponder(fields: Fields): OcspResponse['responder'] {
  const node = fields.take(contextConstructed(1), contextConstructed(2));
  const inner = onlyChild(node, WHAT);
  if (node.tag === contextConstructed(1)) return { name: inner.raw };
  if (inner.tag !== TAG.octetString) throw malformed(WHAT);
  return { keyHash: inner.content };
}

function readSingle(node: DerNode): SingleResponse {
  const fields = createFields(node, WHAT);
  const id = createFields(fields.take(TAG.sequence), WHAT);
  const hash = readAlgorithm(id.take(TAG.sequence));
  const issuerNameHash = id.take(TAG.octetString).content;
  const issuerKeyHash = id.take(TAG.octetString).content;
  const serialNumber = id.take(TAG.integer).content;
  id.end();
  // good, revoked, unknown
  const status = fields.take(contextPrimitive(0), contextConstructed(1), contextPrimitive(2));
  const thisUpdateMicros = readTime(fields.take(TAG.generalizedTime), WHAT);
  const next = fields.optional(contextConstructed(0));
  readExtensionsOf(fields);
  fields.end();
  return {
    hash,
    issuerNameHash,
    issuerKeyHash,
    serialNumber,
    revocation: status.tag === contextConstructed(1) ? readRevoked(status) : undefined,
    thisUpdateMicros,
    nextUpdateMicros: next === undefined ? undefined : readGeneralized(onlyChild(next, WHAT)),
  };
}

function readRevoked({ children: [time, reason, ...others] }: DerNode): Revocation {
  if (time === undefined || others.length > 0) throw malformed(WHAT);
  if (reason !== undefined && reason.tag !== contextConstructed(0)) throw malformed(WHAT);
  return {
    atMicros: readGeneralized(time),
    isHarmless: reason !== undefined && isHarmlessReason(onlyChild(reason, WHAT), WHAT),
  };
}

function readGeneralized(node: DerNode): number {
  if (node.tag !== TAG.generalizedTime) throw malformed(WHAT);
  return readTime(node, WHAT);
}

function readExtensionsOf(fields: Fields): void {
  const extensions = fields.optional(contextConstructed(1));
  if (extensions !== undefined) refuseCritical(onlyChild(extensions, WHAT), WHAT);
}
