import { concatBytes } from '@answer-evidence/encoding';
import { type AlgorithmIdentifier, type HashName } from './algorithms.ts';
import { malformed, parseDer, TAG } from './der.ts';
import { createFields } from './fields.ts';
import { OID_PSS, OID_RSA, type PublicKey, readPssParameters } from './public-key.ts';
import { TimestampError } from './timestamp-error.ts';

/** A signature scheme of RFC 4055 or RFC 5758, decided. */
type Scheme =
  | { readonly kind: 'pkcs1'; readonly hash: HashName }
  | { readonly kind: 'pss'; readonly hash: HashName; readonly saltBytes: number }
  | { readonly kind: 'ecdsa'; readonly hash: HashName };

const SCHEMES: readonly (readonly [oid: string, scheme: Scheme])[] = [
  ['1.2.840.113549.1.1.11', { kind: 'pkcs1', hash: 'SHA-256' }],
  ['1.2.840.113549.1.1.12', { kind: 'pkcs1', hash: 'SHA-384' }],
  ['1.2.840.113549.1.1.13', { kind: 'pkcs1', hash: 'SHA-512' }],
  ['1.2.840.10045.4.3.2', { kind: 'ecdsa', hash: 'SHA-256' }],
  ['1.2.840.10045.4.3.3', { kind: 'ecdsa', hash: 'SHA-384' }],
  ['1.2.840.10045.4.3.4', { kind: 'ecdsa', hash: 'SHA-512' }],
];

const KEY_REFUSALS: readonly string[] = ['DataError', 'OperationError'];

/** AlgorithmIdentifier rsaEncryption with its NULL. */
const RSA_ALGORITHM = Uint8Array.of(
  0x30,
  0x0d,
  0x06,
  0x09,
  0x2a,
  0x86,
  0x48,
  0x86,
  0xf7,
  0x0d,
  0x01,
  0x01,
  0x01,
  0x05,
  0,
);

/**
 * Verifies a signature by WebCrypto. `contentHash` is the hash of CMS's digestAlgorithm, for those who name in a
 * SignerInfo only the kind of their key; certificates have none. Throws `TimestampError`: `signature_invalid` when it
 * is none of the message by this key.
 */
export async function verifySignature(
  key: PublicKey,
  algorithm: AlgorithmIdentifier,
  message: Uint8Array,
  signature: Uint8Array,
  contentHash?: HashName,
): Promise<void> {
  const scheme = schemeOf(algorithm, contentHash);
  let isGood: boolean;
  try {
    isGood =
      key.kind === 'ec'
        ? await verifyEc(key, scheme, message, signature)
        : await verifyRsa(key, scheme, message, signature);
  } catch (error) {
    // WebCrypto reports a point off its curve, and the like, so. By name: it may be of another realm.
    if (error instanceof TimestampError) throw error;
    if (KEY_REFUSALS.includes((error as Partial<Error> | null)?.name ?? '')) throw malformed('a key');
    throw error;
  }
  if (!isGood) throw new TimestampError('signature_invalid', 'a signature does not match the content and the key');
}

function schemeOf(algorithm: AlgorithmIdentifier, contentHash: HashName | undefined): Scheme {
  if (algorithm.oid === OID_RSA && contentHash !== undefined) return { kind: 'pkcs1', hash: contentHash };
  if (algorithm.oid === OID_PSS) return { kind: 'pss', ...readPssParameters(algorithm) };
  const known = SCHEMES.find(([oid]) => oid === algorithm.oid);
  if (known === undefined)
    throw new TimestampError('unsupported_algorithm', 'a signature scheme that is not supported');
  return known[1];
}

type KeyOf<Kind extends PublicKey['kind']> = Extract<PublicKey, { kind: Kind }>;

async function verifyRsa(
  key: KeyOf<'rsa'>,
  scheme: Scheme,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (scheme.kind === 'ecdsa') throw wrongKind();
  if (key.pssOnly && scheme.kind !== 'pss') throw wrongKind();
  if (key.pss !== undefined && scheme.kind === 'pss') {
    if (key.pss.hash !== scheme.hash || scheme.saltBytes < key.pss.saltBytes) throw wrongKind();
  }
  // WebCrypto knows one type of RSA keys, whatever scheme they are for, so the key is given under that name.
  const spki = formatRsaSpki(key.key);
  const name = scheme.kind === 'pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5';
  const imported = await crypto.subtle.importKey('spki', spki, { name, hash: scheme.hash }, false, ['verify']);
  const parameters = scheme.kind === 'pss' ? { name, saltLength: scheme.saltBytes } : { name };
  return crypto.subtle.verify(parameters, imported, new Uint8Array(signature), new Uint8Array(message));
}

async function verifyEc(
  key: KeyOf<'ec'>,
  scheme: Scheme,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (scheme.kind !== 'ecdsa') throw wrongKind();
  const algorithm = { name: 'ECDSA', namedCurve: key.curve };
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key.point), algorithm, false, ['verify']);
  const fixed = readEcdsaSignature(signature, key.coordinateBytes);
  return crypto.subtle.verify({ name: 'ECDSA', hash: scheme.hash }, imported, fixed, new Uint8Array(message));
}

function wrongKind(): TimestampError {
  return new TimestampError('unsupported_algorithm', 'a signature scheme that does not fit the key');
}

/** From Ecdsa-Sig-Value (RFC 3279 section 2.2.3) to r and s of fixed length, concatenated, as WebCrypto has them. */
function readEcdsaSignature(signature: Uint8Array, coordinateBytes: number): Uint8Array<ArrayBuffer> {
  const what = 'an ECDSA signature';
  const fields = createFields(parseDer(signature), what);
  const fixed = new Uint8Array(2 * coordinateBytes);
  for (const end of [coordinateBytes, 2 * coordinateBytes]) {
    const { content } = fields.take(TAG.integer);
    const [first = 0x80, second = 0] = content;
    const isShortest = first !== 0 || second >= 0x80;
    const value = first === 0 ? content.subarray(1) : content;
    if (first >= 0x80 || !isShortest || value.length > coordinateBytes) throw malformed(what);
    fixed.set(value, end - value.length);
  }
  fields.end();
  return fixed;
}

/** SubjectPublicKeyInfo of rsaEncryption. Keys of 2048 bits or more exceed 255 bytes: their lengths take two octets. */
function formatRsaSpki(key: Uint8Array): Uint8Array<ArrayBuffer> {
  const bits = concatBytes(longHeader(0x03, key.length + 1), Uint8Array.of(0), key);
  return new Uint8Array(concatBytes(longHeader(0x30, RSA_ALGORITHM.length + bits.length), RSA_ALGORITHM, bits));
}

function longHeader(tag: number, length: number): Uint8Array {
  return Uint8Array.of(tag, 0x82, length >> 8, length & 0xff);
}
