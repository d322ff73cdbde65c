import { encodeDer } from '@answer-evidence/testing';
import { hashAlgorithm, integer, NULL, octets, sequence } from '../certificates.ts';
import { bytes, field, join, type Row, type Rows, status, withTail } from './parts.ts';

/** The length of the outermost element in five octets: more than are needed. */
function lengthenHeader(der: Uint8Array): Uint8Array {
  const start = 2 + ((der[1] ?? 0) & 0x7f);
  const size = der.length - start;
  return join(bytes(0x30, 0x84, 0, 0, size >> 8, size & 0xff), der.subarray(start));
}
/** The outermost element without a length, with its end marked. */
function asIndefinite(der: Uint8Array): Uint8Array {
  return join(bytes(0x30, 0x80), der.subarray(2 + ((der[1] ?? 0) & 0x7f)), bytes(0, 0));
}

/** Rows of the rule. */
export const RULE_1: Rows = [
  [
    ['a plain time-stamp', {}],
    ['status 1', status(integer(1))],
    ['a status with a text', status(integer(0), sequence(encodeDer(0x0c, bytes(0x6f, 0x6b))))],
  ],
  [
    ['a byte after the response', { response: (der) => join(der, bytes(0)) }],
    ['a second response after the first', { response: (der) => join(der, der) }],
    ['one byte missing', { response: (der) => der.subarray(0, -1) }],
    ['no bytes', { response: () => bytes() }],
    ['an indefinite length', { response: asIndefinite }],
    ['a length of more octets than needed', { response: lengthenHeader }],
    ['a status of two octets for 0', status(encodeDer(0x02, bytes(0, 0)))],
    ['a status of -1', status(encodeDer(0x02, bytes(0xff)))],
    ...[2, 3, 4, 5, 6].map((n): Row => [`status ${n}`, status(integer(n))]),
    ['a failure of status 2', status(integer(2), encodeDer(0x03, bytes(7, 0x80)))],
    ['only a token', { response: (der) => der.subarray(9) }],
    ['a field after the token', { response: (der) => sequence(join(der.subarray(4), NULL)) }],
    ['a status that is not a list', { status: integer(0) }],
    ['an indefinite length inside', { content: (der) => join(bytes(0x30, 0x80), der.subarray(2), bytes(0, 0)) }],
    [
      'a constructed OCTET STRING as imprint',
      { imprint: sequence(hashAlgorithm('sha256'), encodeDer(0x24, octets(bytes(1)))) },
    ],
    ['a serial number of too many octets', field(3, encodeDer(0x02, bytes(0, 7)))],
    ['a serial number without octets', field(3, encodeDer(0x02))],
    ['a serial number of -1 in two octets', field(3, encodeDer(0x02, bytes(0xff, 0xff)))],
    ['an object identifier that begins a number with 0x80', field(1, encodeDer(0x06, bytes(0x2a, 0x80, 0x03)))],
    ['an object identifier that ends early', field(1, encodeDer(0x06, bytes(0x2a, 0x83)))],
    ['an object identifier without octets', field(1, encodeDer(0x06))],
    ['a tag of two octets', withTail(bytes(0x9f, 0x1f, 0))],
    ['a BOOLEAN of 1', withTail(encodeDer(0x01, bytes(1)))],
    ['a BOOLEAN of two octets', withTail(encodeDer(0x01, bytes(0xff, 0xff)))],
    [
      'a length of more octets than needed in a signed attribute',
      { attributes: ({ contentType, digest, certificate }) => [lengthen(contentType), digest, certificate] },
    ],
    [
      'more than 64 KiB',
      {
        carried: ({ signer: own, between: others, root: top }) => [
          own,
          ...others,
          ...Array.from({ length: 250 }, () => top),
        ],
      },
    ],
    ['40 lists in each other', withTail(nested(40))],
  ],
];

function lengthen(der: Uint8Array): Uint8Array {
  return join(bytes(der[0] ?? 0, 0x81), der.subarray(1));
}
function nested(depth: number): Uint8Array {
  return encodeDer(0xa0, depth === 0 ? NULL : nested(depth - 1));
}
