import { Boolean as Asn1Boolean, Integer, Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import { concatBytes } from '@answer-evidence/encoding';
import { imprintOf } from './algorithms.ts';
import { TimestampError } from './timestamp-error.ts';

const DIGEST_BYTES = [32, 64];
const NONCE_BYTES_MAX = 32;

/**
 * What to ask for: a time-stamp over a digest of SHA-256 or SHA-512, with a nonce of 1 to 32 bytes that nobody can
 * guess.
 */
export type TimestampRequest = { readonly digest: Uint8Array; readonly nonce: Uint8Array };

/** A DER TimeStampReq (RFC 3161 section 2.4.1) that asks for the authority's certificate. Throws `TimestampError`. */
export function formatTimestampRequest({ digest, nonce }: TimestampRequest): Uint8Array {
  if (!DIGEST_BYTES.includes(digest.length))
    throw new TimestampError('malformed', 'the digest is not one of SHA-256 or SHA-512');
  if (nonce.length < 1 || nonce.length > NONCE_BYTES_MAX)
    throw new TimestampError('malformed', 'a nonce of the wrong length');
  const algorithm = new Sequence({ value: [new ObjectIdentifier({ value: imprintOf(digest).oid }), new Null()] });
  const imprint = new Sequence({ value: [algorithm, new OctetString({ valueHex: new Uint8Array(digest) })] });
  const request = new Sequence({
    value: [
      new Integer({ value: 1 }),
      imprint,
      new Integer({ valueHex: new Uint8Array(nonceInteger(nonce)) }),
      new Asn1Boolean({ value: true }),
    ],
  });
  return new Uint8Array(request.toBER());
}

/** Content of the INTEGER of a nonce: positive and in its shortest form, so that the reply has the same bytes. */
export function nonceInteger(nonce: Uint8Array): Uint8Array {
  const start = nonce.findIndex((byte) => byte !== 0);
  const significant = start === -1 ? nonce.subarray(nonce.length - 1) : nonce.subarray(start);
  return (significant[0] ?? 0) >= 0x80 ? concatBytes(Uint8Array.of(0), significant) : significant;
}
