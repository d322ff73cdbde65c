import { type DerNode, malformed, parseDer, TAG } from './der.ts';
import { assertTag, createFields, readBoolean, readOid, readSmallInteger } from './fields.ts';

/** What the extensions of a certificate say about its use (RFC 5280 section 4.2.1). */
export type Extensions = {
  readonly basicConstraints: { readonly isCa: boolean; readonly pathLengthMax: number | undefined } | undefined;
  /** Bit 0 is digitalSignature. */
  readonly keyUsage: ((bit: number) => boolean) | undefined;
  readonly extendedKeyUsage: { readonly purposes: readonly string[]; readonly isCritical: boolean } | undefined;
  readonly subjectKeyIdentifier: Uint8Array | undefined;
  /** Where revocation lists of the issuer are, as DER. */
  readonly distributionPoints: Uint8Array | undefined;
  /** Where the status of the certificate can be asked for, as DER. */
  readonly authorityInformation: Uint8Array | undefined;
  /** Critical ones, and constraints on names even when they are not critical, that nothing here heeds. */
  readonly hasUnread: boolean;
};

/** Bits of keyUsage. */
export const KEY_USAGE = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, cRLSign: 6 } as const;

const OID = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  certificatePolicies: '2.5.29.32',
  authorityKeyIdentifier: '2.5.29.35',
  distributionPoints: '2.5.29.31',
  extendedKeyUsage: '2.5.29.37',
  authorityInformation: '1.3.6.1.5.5.7.1.1',
} as const;

/** May be critical: no policy is demanded of a verifier here, and the key identifier only helps to find the issuer. */
const HEEDED: readonly string[] = [
  OID.subjectKeyIdentifier,
  OID.keyUsage,
  OID.basicConstraints,
  OID.certificatePolicies,
  OID.authorityKeyIdentifier,
  OID.extendedKeyUsage,
];

/** Reads the SEQUENCE of extensions. Refuses duplicates, which readers would judge differently: `TimestampError`. */
export function readExtensions(list: DerNode | undefined): Extensions {
  const found = new Map<string, { readonly isCritical: boolean; readonly value: DerNode | undefined }>();
  let hasUnread = false;
  let distributionPoints: Uint8Array | undefined;
  let authorityInformation: Uint8Array | undefined;
  if (list !== undefined) assertTag(list, TAG.sequence, 'extensions');
  for (const node of list?.children ?? []) {
    const { oid, isCritical, value } = readExtension(node);
    if (found.has(oid)) throw malformed('a duplicate extension');
    const isHeeded = HEEDED.includes(oid);
    if (oid === OID.distributionPoints) distributionPoints = value;
    if (oid === OID.authorityInformation) authorityInformation = value;
    if (oid === OID.nameConstraints || (isCritical && !isHeeded)) hasUnread = true;
    found.set(oid, { isCritical, value: isHeeded ? parseDer(value) : undefined });
  }
  const extendedKeyUsage = found.get(OID.extendedKeyUsage);
  return {
    basicConstraints: readBasicConstraints(found.get(OID.basicConstraints)?.value),
    keyUsage: readKeyUsage(found.get(OID.keyUsage)?.value),
    extendedKeyUsage: extendedKeyUsage?.value && {
      purposes: readPurposes(extendedKeyUsage.value),
      isCritical: extendedKeyUsage.isCritical,
    },
    subjectKeyIdentifier: readKeyIdentifier(found.get(OID.subjectKeyIdentifier)?.value),
    distributionPoints,
    authorityInformation,
    hasUnread,
  };
}

/** One Extension, of a certificate or of a TSTInfo; its value is DER. Throws `TimestampError`. */
export function readExtension(node: DerNode): {
  readonly oid: string;
  readonly isCritical: boolean;
  readonly value: Uint8Array;
} {
  const what = 'an extension';
  const fields = createFields(node, what);
  const oid = readOid(fields.take(TAG.oid), what);
  const critical = fields.optional(TAG.boolean);
  const value = fields.take(TAG.octetString).content;
  fields.end();
  return { oid, isCritical: critical !== undefined && readBoolean(critical, what), value };
}

function readBasicConstraints(node: DerNode | undefined): Extensions['basicConstraints'] {
  if (node === undefined) return undefined;
  const what = 'basic constraints';
  const fields = createFields(node, what);
  const isCa = fields.optional(TAG.boolean);
  const pathLength = fields.optional(TAG.integer);
  fields.end();
  return {
    isCa: isCa !== undefined && readBoolean(isCa, what),
    pathLengthMax: pathLength === undefined ? undefined : readSmallInteger(pathLength, what),
  };
}

function readKeyUsage(node: DerNode | undefined): Extensions['keyUsage'] {
  if (node === undefined) return undefined;
  const { content } = node;
  assertTag(node, TAG.bitString, 'a key usage');
  if (content.length < 1 || content.length > 3 || (content[0] ?? 8) > 7) throw malformed('a key usage');
  return (bit) => ((content[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0;
}

function readPurposes(node: DerNode): readonly string[] {
  assertTag(node, TAG.sequence, 'an extended key usage');
  return node.children.map((purpose) => readOid(purpose, 'an extended key usage'));
}

function readKeyIdentifier(node: DerNode | undefined): Uint8Array | undefined {
  if (node === undefined) return undefined;
  assertTag(node, TAG.octetString, 'a key identifier');
  return node.content;
}
