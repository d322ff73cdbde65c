import { generateKeyPairSync, type KeyObject, sign as signWith } from 'node:crypto';
import { ascii, encodeDer, encodeOid } from '@answer-evidence/testing';

/** Kinds of keys, and how a certificate or token is signed with one. */
export type KeyKind =
  | 'p256'
  | 'p384'
  | 'p521'
  | 'p224'
  | 'secp256k1'
  | 'brainpool'
  | 'rsa'
  | 'rsa1024'
  | 'rsa3072'
  | 'rsa4096'
  | 'pss'
  | 'ed25519';
type Pair = { readonly kind: KeyKind; readonly privateKey: KeyObject; readonly spki: Uint8Array };

const CURVES: Readonly<Partial<Record<KeyKind, string>>> = {
  p256: 'P-256',
  p384: 'P-384',
  p521: 'P-521',
  p224: 'secp224r1',
  secp256k1: 'secp256k1',
  brainpool: 'brainpoolP256r1',
};
const RSA_BITS: Readonly<Partial<Record<KeyKind, number>>> = {
  rsa: 2048,
  rsa1024: 1024,
  rsa3072: 3072,
  rsa4096: 4096,
};

/** Makes a key of each name once. */
export function createKeys(): (name: string, kind?: KeyKind) => Pair {
  const made = new Map<string, Pair>();
  return (name, kind = 'p256') => {
    const known = made.get(`${name} ${kind}`);
    if (known !== undefined) return known;
    const { privateKey, publicKey } = generate(kind);
    const pair = { kind, privateKey, spki: new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })) };
    made.set(`${name} ${kind}`, pair);
    return pair;
  };
}

function generate(kind: KeyKind): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const namedCurve = CURVES[kind];
  if (namedCurve !== undefined) return generateKeyPairSync('ec', { namedCurve });
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  if (kind === 'pss') return generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
  return generateKeyPairSync('rsa', { modulusLength: RSA_BITS[kind] ?? 2048 });
}

export type HashName = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';
const HASH_OIDS: Readonly<Record<HashName, string>> = {
  sha1: '1.3.14.3.2.26',
  sha224: '2.16.840.1.101.3.4.2.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
};
const RSA_SCHEMES: Readonly<Record<HashName, string>> = {
  sha1: '1.2.840.113549.1.1.5',
  sha224: '1.2.840.113549.1.1.14',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
};
const ECDSA_SCHEMES: Readonly<Record<HashName, string>> = {
  sha1: '1.2.840.10045.4.1',
  sha224: '1.2.840.10045.4.3.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
};
export const OID_RSA = '1.2.840.113549.1.1.1';
const OID_PSS = '1.2.840.113549.1.1.10';
const OID_MGF1 = '1.2.840.113549.1.1.8';

export const NULL = encodeDer(0x05);
export const sequence = (...parts: readonly Uint8Array[]) => encodeDer(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]) => encodeDer(0x31, ...parts);
export const integer = (...bytes: readonly number[]) => encodeDer(0x02, Uint8Array.from(bytes));
export const octets = (bytes: Uint8Array) => encodeDer(0x04, bytes);
export const bits = (bytes: Uint8Array) => encodeDer(0x03, Uint8Array.of(0), bytes);
export const hashAlgorithm = (hash: HashName) => sequence(encodeOid(HASH_OIDS[hash]), NULL);

/** Parameters of PSS: of which hash and mask, with how long a salt. */
type Pss = { readonly hash: HashName; readonly mask?: HashName; readonly salt?: number };

/** How something is signed, and which algorithm it says it is signed with. */
export type SignatureForm = {
  readonly hash?: HashName;
  readonly pss?: Pss;
  /** Named in the place of the true one. */
  readonly algorithm?: Uint8Array;
};

/** RSASSA-PSS with its parameters. */
function pssAlgorithm({ hash, mask = hash, salt = 32 }: Pss): Uint8Array {
  const parameters = [
    encodeDer(0xa0, hashAlgorithm(hash)),
    encodeDer(0xa1, sequence(encodeOid(OID_MGF1), hashAlgorithm(mask))),
    encodeDer(0xa2, salt > 127 ? integer(salt >> 8, salt & 0xff) : integer(salt)),
  ];
  return sequence(encodeOid(OID_PSS), sequence(...parameters));
}

/** A signature with its AlgorithmIdentifier. */
export function signBytes(pair: Pair, message: Uint8Array, form: SignatureForm = {}) {
  const { hash = 'sha256', pss } = form;
  const usesPss = pair.kind === 'pss' || pss !== undefined;
  const isRsa = pair.kind.startsWith('rsa');
  if (pair.kind === 'ed25519') {
    const algorithm = form.algorithm ?? sequence(encodeOid('1.3.101.112'));
    return { algorithm, signature: new Uint8Array(signWith(null, message, pair.privateKey)) };
  }
  const named = pss ?? { hash };
  const key = usesPss
    ? { key: pair.privateKey, padding: 6, saltLength: named.salt ?? 32 }
    : { key: pair.privateKey, dsaEncoding: 'der' as const };
  const signature = new Uint8Array(signWith(usesPss ? named.hash : hash, message, key));
  const scheme = isRsa ? sequence(encodeOid(RSA_SCHEMES[hash]), NULL) : sequence(encodeOid(ECDSA_SCHEMES[hash]));
  return { algorithm: form.algorithm ?? (usesPss ? pssAlgorithm(named) : scheme), signature };
}

/** An extension by its OID and value. */
export function extension(oid: string, value: Uint8Array, isCritical = false): Uint8Array {
  return sequence(encodeOid(oid), ...(isCritical ? [encodeDer(0x01, Uint8Array.of(0xff))] : []), octets(value));
}

const TRUE = encodeDer(0x01, Uint8Array.of(0xff));
export const basicConstraints = (isCa: boolean, pathLength?: number, isCritical = true) =>
  extension(
    '2.5.29.19',
    sequence(...(isCa ? [TRUE] : []), ...(pathLength === undefined ? [] : [integer(pathLength)])),
    isCritical,
  );
/** Bit 0 of the first octet is digitalSignature. */
export const keyUsage = (unused: number, ...bytes: readonly number[]) =>
  extension('2.5.29.15', encodeDer(0x03, Uint8Array.of(unused, ...bytes)), true);
export const PURPOSES = {
  timeStamping: '1.3.6.1.5.5.7.3.8',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  any: '2.5.29.37.0',
} as const;
export const purposes = (isCritical: boolean, ...oids: readonly string[]) =>
  extension('2.5.29.37', sequence(...oids.map(encodeOid)), isCritical);
export const keyIdentifier = (bytes: Uint8Array) => extension('2.5.29.14', octets(bytes));

/** The DER of a name with one common name. */
export const nameOf = (text: string) => sequence(set(sequence(encodeOid('2.5.4.3'), encodeDer(0x0c, ascii(text)))));
export const utcTime = (text: string) => encodeDer(0x17, ascii(text));
export const generalizedTime = (text: string) => encodeDer(0x18, ascii(text));

/** What a certificate says; what is left out is what a good one says. */
export type CertificateForm = {
  readonly subject: string;
  readonly key: Pair;
  readonly issuer: string;
  readonly issuerKey: Pair;
  readonly serial?: Uint8Array;
  readonly extensions?: readonly Uint8Array[];
  readonly notBefore?: Uint8Array;
  readonly notAfter?: Uint8Array;
  readonly version?: number;
  readonly signed?: SignatureForm;
  /** The algorithm inside of what is signed, where it is another. */
  readonly innerAlgorithm?: Uint8Array;
};

/** Makes a certificate. */
export function makeCertificate(form: CertificateForm): Uint8Array {
  const { subject, key, issuer, issuerKey, serial = integer(1), extensions = [], version = 2 } = form;
  const { algorithm } = signBytes(issuerKey, new Uint8Array(), form.signed);
  const tbs = sequence(
    ...(version === 0 ? [] : [encodeDer(0xa0, integer(version))]),
    serial,
    form.innerAlgorithm ?? algorithm,
    nameOf(issuer),
    sequence(form.notBefore ?? utcTime('250101000000Z'), form.notAfter ?? utcTime('350101000000Z')),
    nameOf(subject),
    key.spki,
    ...(extensions.length === 0 ? [] : [encodeDer(0xa3, sequence(...extensions))]),
  );
  return sequence(tbs, algorithm, bits(signBytes(issuerKey, tbs, form.signed).signature));
}

/** A certificate in PEM. */
export function formatPem(der: Uint8Array, label = 'CERTIFICATE'): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
