import { type AlgorithmIdentifier, readAlgorithm } from './algorithms.ts';
import { contextConstructed, contextPrimitive, type DerNode, malformed, TAG } from './der.ts';
import { assertTag, createFields, onlyChild, readOid } from './fields.ts';
import { TimestampError } from './timestamp-error.ts';

/** How a SignerInfo names its certificate (RFC 5652 section 5.3). */
export type SignerIdentifier =
  | { readonly kind: 'issuer-and-serial'; readonly issuer: Uint8Array; readonly serialNumber: Uint8Array }
  | { readonly kind: 'key-identifier'; readonly keyIdentifier: Uint8Array };

/** A CMS SignedData of one signer (RFC 5652 section 5), as time-stamp tokens are. */
type SignedData = {
  readonly contentType: string;
  readonly content: Uint8Array;
  /** X.509 certificates that it carries, not yet read. */
  readonly certificates: readonly DerNode[];
  readonly signer: SignerInfo;
};

/** The one SignerInfo of a token. */
export type SignerInfo = {
  readonly identifier: SignerIdentifier;
  readonly digestAlgorithm: AlgorithmIdentifier;
  readonly signedAttributes: ReadonlyMap<string, DerNode>;
  /** What the signature is over: the attributes under the tag of a SET (RFC 5652 section 5.4). */
  readonly signedBytes: Uint8Array;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
};

const OID_SIGNED_DATA = '1.2.840.113549.1.7.2';

/** Reads a ContentInfo that holds SignedData with one signer and signed attributes. Throws `TimestampError`. */
export function readSignedData(contentInfo: DerNode): SignedData {
  const what = 'a CMS SignedData';
  const outer = createFields(contentInfo, what);
  const type = readOid(outer.take(TAG.oid), what);
  const wrapped = outer.take(contextConstructed(0));
  outer.end();
  if (type !== OID_SIGNED_DATA) throw malformed(what);

  const fields = createFields(onlyChild(wrapped, what), what);
  fields.take(TAG.integer);
  fields.take(TAG.set);
  const encapsulated = createFields(fields.take(TAG.sequence), what);
  const certificates = fields.optional(contextConstructed(0))?.children ?? [];
  fields.optional(contextConstructed(1));
  const signerInfos = fields.take(TAG.set);
  fields.end();
  const contentType = readOid(encapsulated.take(TAG.oid), what);
  const content = onlyChild(encapsulated.take(contextConstructed(0)), what);
  encapsulated.end();
  assertTag(content, TAG.octetString, what);
  return {
    contentType,
    content: content.content,
    // Other choices, such as attribute certificates, have context tags.
    certificates: certificates.filter((certificate) => certificate.tag === TAG.sequence),
    signer: readSignerInfo(onlyChild(signerInfos, 'a token of several signers')),
  };
}

function readSignerInfo(node: DerNode): SignerInfo {
  const what = 'a SignerInfo';
  const fields = createFields(node, what);
  fields.take(TAG.integer);
  const identifier = readIdentifier(fields.take(TAG.sequence, contextPrimitive(0)));
  const digestAlgorithm = readAlgorithm(fields.take(TAG.sequence));
  const attributes = fields.take(contextConstructed(0));
  const signatureAlgorithm = readAlgorithm(fields.take(TAG.sequence));
  const signature = fields.take(TAG.octetString).content;
  fields.optional(contextConstructed(1));
  fields.end();
  const signedBytes = new Uint8Array(attributes.raw);
  signedBytes[0] = TAG.set;
  return {
    identifier,
    digestAlgorithm,
    signedAttributes: readAttributes(attributes),
    signedBytes,
    signatureAlgorithm,
    signature,
  };
}

function readIdentifier(node: DerNode): SignerIdentifier {
  if (node.tag === contextPrimitive(0)) return { kind: 'key-identifier', keyIdentifier: node.content };
  const fields = createFields(node, 'a signer');
  const issuer = fields.take(TAG.sequence).raw;
  const serialNumber = fields.take(TAG.integer).content;
  fields.end();
  return { kind: 'issuer-and-serial', issuer, serialNumber };
}

/** Attributes by type, each with its one value. One that is there twice is refused (RFC 5652 section 11). */
function readAttributes(set: DerNode): ReadonlyMap<string, DerNode> {
  const found = new Map<string, DerNode>();
  for (const attribute of set.children) {
    const fields = createFields(attribute, 'an attribute');
    const type = readOid(fields.take(TAG.oid), 'an attribute');
    const values = fields.take(TAG.set);
    fields.end();
    if (found.has(type)) throw new TimestampError('wrong_signed_attributes', 'a signed attribute occurs twice');
    const [value, ...others] = values.children;
    // Attributes that are not read may have several values; those that are read never do.
    if (value !== undefined) found.set(type, others.length === 0 ? value : values);
  }
  return found;
}
