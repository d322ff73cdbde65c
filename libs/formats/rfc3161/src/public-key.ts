import { type AlgorithmIdentifier, type HashName, hashOf, readAlgorithm } from './algorithms.ts';
import { contextConstructed, type DerNode, malformed, parseDer, TAG } from './der.ts';
import { createFields, onlyChild, readExplicitInteger, readOctetsOfBitString, readOid } from './fields.ts';
import { TimestampError } from './timestamp-error.ts';

/** Parameters of an RSASSA-PSS signature (RFC 4055 section 3.1). */
type PssParameters = { readonly hash: HashName; readonly saltBytes: number };

/** The public key of a certificate, as far as its signatures can be verified here. */
export type PublicKey =
  | {
      readonly kind: 'rsa';
      /** RSAPublicKey (RFC 8017), DER. */
      readonly key: Uint8Array;
      /** A key of the PSS type signs with PSS alone, and with these parameters when it names them. */
      readonly pssOnly: boolean;
      readonly pss: PssParameters | undefined;
    }
  | {
      readonly kind: 'ec';
      readonly curve: 'P-256' | 'P-384' | 'P-521';
      /** Uncompressed. */
      readonly point: Uint8Array;
      readonly coordinateBytes: number;
    };

/** The two types of RSA keys, which are also names of signature schemes. */
export const OID_RSA = '1.2.840.113549.1.1.1';
export const OID_PSS = '1.2.840.113549.1.1.10';
const OID_EC = '1.2.840.10045.2.1';
const OID_MGF1 = '1.2.840.113549.1.1.8';

const RSA_BITS_MIN = 2048;
/** Verification costs the square of it. */
const RSA_BITS_MAX = 8192;
/** 65537 has three. */
const RSA_EXPONENT_BYTES_MAX = 4;
/** A salt is shorter than the modulus. */
const SALT_BYTES_MAX = RSA_BITS_MAX / 8;

const CURVES = {
  '1.2.840.10045.3.1.7': { curve: 'P-256', coordinateBytes: 32 },
  '1.3.132.0.34': { curve: 'P-384', coordinateBytes: 48 },
  '1.3.132.0.35': { curve: 'P-521', coordinateBytes: 66 },
} as const;

/** Reads a SubjectPublicKeyInfo: RSA of 2048 to 8192 bits, or one of the three NIST curves. Throws `TimestampError`. */
export function readPublicKey(node: DerNode): PublicKey {
  const what = 'a public key';
  const fields = createFields(node, what);
  const algorithm = readAlgorithm(fields.take(TAG.sequence));
  const key = readOctetsOfBitString(fields.take(TAG.bitString), what);
  fields.end();
  if (algorithm.oid === OID_RSA) return { kind: 'rsa', key: assertRsaKey(key), pssOnly: false, pss: undefined };
  if (algorithm.oid === OID_PSS) {
    const pss = algorithm.parameters === undefined ? undefined : readPssParameters(algorithm);
    return { kind: 'rsa', key: assertRsaKey(key), pssOnly: true, pss };
  }
  if (algorithm.oid === OID_EC) return readEcKey(algorithm, key);
  throw new TimestampError('unsupported_algorithm', 'a key that is neither RSA nor of a NIST curve');
}

/** RSASSA-PSS-params; SHA-1, which is the default when they are left out, is refused. Throws `TimestampError`. */
export function readPssParameters(algorithm: AlgorithmIdentifier): PssParameters {
  const what = 'PSS parameters';
  if (algorithm.parameters === undefined) throw malformed(what);
  const fields = createFields(algorithm.parameters, what);
  const hashField = fields.optional(contextConstructed(0));
  const maskField = fields.optional(contextConstructed(1));
  const saltField = fields.optional(contextConstructed(2));
  const trailerField = fields.optional(contextConstructed(3));
  fields.end();
  if (hashField === undefined || maskField === undefined) {
    throw new TimestampError('unsupported_algorithm', 'PSS with SHA-1');
  }
  const hash = hashOf(readAlgorithm(onlyChild(hashField, what)));
  const mask = readAlgorithm(onlyChild(maskField, what));
  if (mask.oid !== OID_MGF1 || mask.parameters === undefined || hashOf(readAlgorithm(mask.parameters)) !== hash) {
    throw new TimestampError('unsupported_algorithm', 'PSS with another mask than MGF1 of its hash');
  }
  if (trailerField !== undefined && readExplicitInteger(trailerField, what) !== 1) throw malformed(what);
  const saltBytes = saltField === undefined ? 20 : readExplicitInteger(saltField, what);
  if (saltBytes > SALT_BYTES_MAX) throw new TimestampError('unsupported_algorithm', 'PSS with an overlong salt');
  return { hash, saltBytes };
}

function readEcKey(algorithm: AlgorithmIdentifier, point: Uint8Array): PublicKey {
  const { parameters } = algorithm;
  if (parameters?.tag !== TAG.oid) throw new TimestampError('unsupported_algorithm', 'a curve without a name');
  const oid = readOid(parameters, 'a curve');
  const known = Object.entries(CURVES).find(([name]) => name === oid)?.[1];
  if (known === undefined) throw new TimestampError('unsupported_algorithm', 'a curve other than P-256, P-384, P-521');
  if (point.length !== 1 + 2 * known.coordinateBytes || point[0] !== 4) throw malformed('a point of a curve');
  return { kind: 'ec', ...known, point };
}

function assertRsaKey(key: Uint8Array): Uint8Array {
  const what = 'an RSA key';
  const fields = createFields(parseDer(key), what);
  const modulus = fields.take(TAG.integer).content;
  const exponent = fields.take(TAG.integer).content;
  fields.end();
  const significant = modulus[0] === 0 ? modulus.subarray(1) : modulus;
  const bits = significant.length * 8 - Math.clz32(significant[0] ?? 0) + 24;
  if (bits < RSA_BITS_MIN) throw new TimestampError('weak_key', 'an RSA key of fewer than 2048 bits');
  if (bits > RSA_BITS_MAX || exponent.length > RSA_EXPONENT_BYTES_MAX) {
    throw new TimestampError('too_large', 'an RSA key of more than 8192 bits, or of a long exponent');
  }
  return key;
}
