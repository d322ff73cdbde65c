import { type DerNode, malformed, TAG } from './der.ts';
import { createFields, readOid } from './fields.ts';
import { TimestampError } from './timestamp-error.ts';

/** A hash that is believed, by its name in WebCrypto. */
export type HashName = 'SHA-256' | 'SHA-384' | 'SHA-512';

/** AlgorithmIdentifier (RFC 5280 section 4.1.1.2). */
export type AlgorithmIdentifier = {
  readonly oid: string;
  readonly parameters: DerNode | undefined;
  readonly raw: Uint8Array;
};

export const OID_SHA256 = '2.16.840.1.101.3.4.2.1';

export const OID_SHA512 = '2.16.840.1.101.3.4.2.3';

const HASHES: Readonly<Record<string, HashName>> = {
  [OID_SHA256]: 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  [OID_SHA512]: 'SHA-512',
};

const SHA512_BYTES = 64;

/** With which hash a digest was made that is to be stamped: SHA-512, if it is as long, and otherwise SHA-256. */
export function imprintOf(digest: Uint8Array): { readonly oid: string; readonly name: HashName } {
  return digest.length === SHA512_BYTES ? { oid: OID_SHA512, name: 'SHA-512' } : { oid: OID_SHA256, name: 'SHA-256' };
}

/** Reads an AlgorithmIdentifier. Throws `TimestampError`. */
export function readAlgorithm(node: DerNode): AlgorithmIdentifier {
  const what = 'an algorithm identifier';
  const [, parameters, ...others] = node.children;
  if (others.length > 0) throw malformed(what);
  const oid = readOid(createFields(node, what).take(TAG.oid), what);
  return { oid, parameters, raw: node.raw };
}

/** The hash of an AlgorithmIdentifier. Refuses SHA-1 and everything not in the list. Throws `TimestampError`. */
export function hashOf(algorithm: AlgorithmIdentifier): HashName {
  const name = HASHES[algorithm.oid];
  // `HASHES` is an object: an OID is digits and dots, so it can name nothing that objects inherit.
  if (name === undefined)
    throw new TimestampError('unsupported_algorithm', 'a hash other than SHA-256, SHA-384, SHA-512');
  return name;
}

/** The digest of the bytes, by WebCrypto. */
export async function digestOf(hash: HashName | 'SHA-1', bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(hash, new Uint8Array(bytes)));
}
