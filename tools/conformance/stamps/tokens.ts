import { createHash } from 'node:crypto';
import { encodeDer, encodeOid } from '@answer-evidence/testing';
import {
  basicConstraints,
  type CertificateForm,
  createKeys,
  formatPem,
  generalizedTime,
  hashAlgorithm,
  type HashName,
  integer,
  type KeyKind,
  keyUsage,
  makeCertificate,
  nameOf,
  octets,
  PURPOSES,
  purposes,
  sequence,
  set,
  type SignatureForm,
  signBytes,
} from './certificates.ts';

const OIDS = {
  signedData: '1.2.840.113549.1.7.2',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
} as const;

/** One time-stamp: everything that is left out is what a good one has. */
export type Craft = {
  readonly signerKey?: KeyKind;
  readonly betweenKey?: KeyKind;
  readonly rootKey?: KeyKind;
  readonly signer?: Partial<CertificateForm>;
  readonly between?: Partial<CertificateForm>;
  readonly root?: Partial<CertificateForm>;
  /** How many authorities stand between the root and the signer. */
  readonly authorities?: number;
  readonly genTime?: string;
  /** The fields of the TSTInfo. */
  readonly info?: (fields: readonly Uint8Array[]) => readonly Uint8Array[];
  /** The octets of the TSTInfo. */
  readonly content?: (content: Uint8Array) => Uint8Array;
  readonly imprint?: Uint8Array;
  readonly hash?: HashName;
  readonly signed?: SignatureForm;
  /** The signed attributes by name, in DER. */
  readonly attributes?: (attributes: Attributes) => readonly Uint8Array[];
  readonly signature?: (signature: Uint8Array) => Uint8Array;
  readonly identifier?: (made: Made) => Uint8Array;
  readonly carried?: (made: Made) => readonly Uint8Array[];
  /** The fields of the SignedData. */
  readonly signedData?: (fields: readonly Uint8Array[]) => readonly Uint8Array[];
  readonly signerInfo?: (fields: readonly Uint8Array[]) => readonly Uint8Array[];
  readonly contentType?: string;
  readonly status?: Uint8Array;
  readonly response?: (response: Uint8Array) => Uint8Array;
  readonly pem?: (made: Made) => string;
};
/** The certificates of a token. */
export type Made = {
  readonly signer: Uint8Array;
  readonly between: readonly Uint8Array[];
  readonly root: Uint8Array;
  readonly keys: ReturnType<typeof createKeys>;
};
/** The signed attributes of a good token. */
export type Attributes = {
  readonly contentType: Uint8Array;
  readonly digest: Uint8Array;
  readonly certificate: Uint8Array;
  readonly made: Made;
};

/** A time-stamp and its pins. */
type Crafted = { readonly response: Uint8Array; readonly pem: string };

export const attribute = (oid: string, ...values: readonly Uint8Array[]) => sequence(encodeOid(oid), set(...values));
export const contentTypeOf = (oid: string) => attribute(OIDS.contentType, encodeOid(oid));
export const digestAttribute = (...digests: readonly Uint8Array[]) =>
  attribute(OIDS.messageDigest, ...digests.map(octets));
export const hashOf = (hash: HashName, bytes: Uint8Array) => new Uint8Array(createHash(hash).update(bytes).digest());

/** ESSCertID in its first or second version. */
export function certificateId(certificate: Uint8Array, hash: HashName, ...rest: readonly Uint8Array[]): Uint8Array {
  const algorithm = hash === 'sha1' || hash === 'sha256' ? [] : [hashAlgorithm(hash)];
  return sequence(...algorithm, octets(hashOf(hash, certificate)), ...rest);
}
export const namesFirst = (...ids: readonly Uint8Array[]) =>
  attribute(OIDS.signingCertificate, sequence(sequence(...ids)));
export const namesSecond = (...ids: readonly Uint8Array[]) =>
  attribute(OIDS.signingCertificateV2, sequence(sequence(...ids)));
/** IssuerSerial of a directory name. */
export const issuerSerial = (issuer: string, serial: number) =>
  sequence(sequence(encodeDer(0xa4, nameOf(issuer))), integer(serial));

export const GOOD_AUTHORITY = [basicConstraints(true), keyUsage(2, 0x04)];
export const GOOD_SIGNER = [keyUsage(7, 0x80), purposes(true, PURPOSES.timeStamping)];

/** Makes time-stamps over a digest; keys are made once. */
export function openStamps(digest: Uint8Array): (craft: Craft) => Crafted {
  const authority = openAuthority();
  return (craft) => authority.stamp(digest, craft);
}

/** An authority that stamps any digest, with its keys. */
export function openAuthority(): {
  readonly keys: Made['keys'];
  readonly stamp: (digest: Uint8Array, craft: Craft) => Crafted;
} {
  const keys = createKeys();
  return {
    keys,
    stamp(digest, craft) {
      const made = makeChain(craft, keys);
      const response = makeResponse(craft, made, digest);
      const pem = craft.pem?.(made) ?? formatPem(made.root);
      return { response: craft.response?.(response) ?? response, pem };
    },
  };
}

function makeChain(craft: Craft, keys: Made['keys']): Made {
  const { authorities = 1, rootKey = 'p256', betweenKey = 'p256' } = craft;
  const rootPair = keys('root', rootKey);
  const root = makeCertificate({
    subject: 'root',
    key: rootPair,
    issuer: 'root',
    issuerKey: rootPair,
    extensions: GOOD_AUTHORITY,
    ...craft.root,
  });
  let above = { subject: 'root', key: rootPair };
  const between: Uint8Array[] = [];
  for (let n = 1; n <= authorities; n += 1) {
    const own = { subject: `authority ${n}`, key: keys(`authority ${n}`, betweenKey) };
    const form = { ...own, issuer: above.subject, issuerKey: above.key, extensions: GOOD_AUTHORITY };
    const changed = { ...form, ...(n === authorities ? craft.between : {}) };
    between.push(makeCertificate(changed));
    above = { subject: changed.subject, key: changed.key };
  }
  const signer = makeCertificate({
    subject: 'signer',
    key: keys('signer', craft.signerKey),
    issuer: above.subject,
    issuerKey: above.key,
    serial: integer(42),
    extensions: GOOD_SIGNER,
    ...craft.signer,
  });
  return { signer, between, root, keys };
}

function makeResponse(craft: Craft, made: Made, digest: Uint8Array): Uint8Array {
  const { hash = 'sha256', contentType = OIDS.tstInfo } = craft;
  const fields = [
    integer(1),
    encodeOid('1.3.6.1.4.1.99999.1'),
    craft.imprint ?? sequence(hashAlgorithm(digest.length === 64 ? 'sha512' : 'sha256'), octets(digest)),
    integer(7),
    generalizedTime(craft.genTime ?? '20261122212300Z'),
  ];
  const plain = sequence(...(craft.info?.(fields) ?? fields));
  const content = craft.content?.(plain) ?? plain;
  const standard: Attributes = {
    contentType: contentTypeOf(OIDS.tstInfo),
    digest: digestAttribute(hashOf(hash, content)),
    certificate: namesSecond(certificateId(made.signer, 'sha256')),
    made,
  };
  const attributes = craft.attributes?.(standard) ?? [standard.contentType, standard.digest, standard.certificate];
  const pair = made.keys('signer', craft.signerKey);
  const { algorithm, signature } = signBytes(pair, set(...attributes), { hash, ...craft.signed });
  const issuer = craft.signer?.issuer ?? craft.between?.subject ?? nameAbove(craft.authorities ?? 1);
  const signerFields = [
    integer(1),
    craft.identifier?.(made) ?? sequence(nameOf(issuer), craft.signer?.serial ?? integer(42)),
    hashAlgorithm(hash),
    encodeDer(0xa0, ...attributes),
    algorithm,
    octets(craft.signature?.(signature) ?? signature),
  ];
  const carried = craft.carried?.(made) ?? [made.signer, ...made.between.toReversed()];
  const dataFields = [
    integer(3),
    set(hashAlgorithm(hash)),
    sequence(encodeOid(contentType), encodeDer(0xa0, octets(content))),
    ...(carried.length === 0 ? [] : [encodeDer(0xa0, ...carried)]),
    set(sequence(...(craft.signerInfo?.(signerFields) ?? signerFields))),
  ];
  const data = sequence(...(craft.signedData?.(dataFields) ?? dataFields));
  return sequence(craft.status ?? sequence(integer(0)), sequence(encodeOid(OIDS.signedData), encodeDer(0xa0, data)));
}

function nameAbove(authorities: number): string {
  return authorities === 0 ? 'root' : `authority ${authorities}`;
}
