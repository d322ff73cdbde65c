import { encodeDer, encodeOid } from '@answer-evidence/testing';
import { hashAlgorithm, type HashName, integer, NULL, sequence, set } from '../certificates.ts';
import { bytes, FALSE, field, imprint, infoExtension, join, type Rows, withTail } from './parts.ts';

/** Rows of the rule. */
export const RULE_2: Rows = [
  [
    ['an accuracy', withTail(sequence(integer(1), encodeDer(0x80, bytes(5)), encodeDer(0x81, bytes(7))))],
    ['an ordering', withTail(encodeDer(0x01, bytes(0xff)))],
    ['an ordering that is false', withTail(FALSE)],
    ['a nonce', withTail(integer(5))],
    ['the name of the authority', withTail(encodeDer(0xa0, encodeDer(0x86, bytes(0x61))))],
    ['an extension that is not critical', withTail(infoExtension(false))],
    ['everything optional', withTail(sequence(), FALSE, integer(5), encodeDer(0xa0, NULL), infoExtension(false))],
    ['an imprint algorithm without NULL', { info: (fields) => fields.with(2, withoutNull(fields[2])) }],
    ['a version of SignedData of 1', { signedData: (fields) => fields.with(0, integer(1)) }],
    ['a revocation list', { signedData: (fields) => fields.toSpliced(4, 0, encodeDer(0xa1, NULL)) }],
    ['no digest algorithms', { signedData: (fields) => fields.with(1, set()) }],
  ],
  [
    [
      'two signers',
      { signedData: (fields) => [...fields.slice(0, -1), set(inside(fields.at(-1)), inside(fields.at(-1)))] },
    ],
    ['no signer', { signedData: (fields) => [...fields.slice(0, -1), set()] }],
    ['the content type data', { contentType: '1.2.840.113549.1.7.1' }],
    ['no content', { signedData: (fields) => fields.with(2, sequence(encodeOid('1.2.840.113549.1.9.16.1.4'))) }],
    ['version 0', field(0, integer(0))],
    ['version 2', field(0, integer(2))],
    ['another digest', imprint(hashAlgorithm('sha256'), new Uint8Array(32))],
    ['no digest', imprint(hashAlgorithm('sha256'), bytes())],
    ['a digest said to be of SHA-512', { info: (fields) => fields.with(2, renamed(fields[2], 'sha512')) }],
    ['a digest said to be of SHA-1', { info: (fields) => fields.with(2, renamed(fields[2], 'sha1')) }],
    ['a critical extension', withTail(infoExtension(true))],
    ['a second field after the extensions', withTail(infoExtension(false), NULL)],
    ['no time', { info: (fields) => fields.toSpliced(4, 1) }],
    ['no policy', { info: (fields) => fields.toSpliced(1, 1) }],
    ['a nonce before the ordering', withTail(integer(5), FALSE)],
    ['bytes after the TSTInfo', { content: (der) => join(der, bytes(0)) }],
    ['a negative accuracy', withTail(sequence(encodeDer(0x02, bytes(0xff))))],
  ],
];

function inside(der: Uint8Array | undefined): Uint8Array {
  const whole = der ?? bytes();
  const length = whole[1] ?? 0;
  return whole.subarray(length < 0x80 ? 2 : 2 + (length & 0x7f));
}
/** The imprint again, its digest under another algorithm. */
function renamed(der: Uint8Array | undefined, hash: HashName): Uint8Array {
  return sequence(hashAlgorithm(hash), (der ?? bytes()).slice(-34));
}
function withoutNull(der: Uint8Array | undefined): Uint8Array {
  return sequence(sequence(encodeOid('2.16.840.1.101.3.4.2.1')), (der ?? bytes()).slice(-34));
}
