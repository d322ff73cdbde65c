import { encodeDer, encodeOid } from '@answer-evidence/testing';
import { hashAlgorithm, NULL, octets, sequence, utcTime } from '../certificates.ts';
import {
  attribute,
  certificateId,
  contentTypeOf,
  digestAttribute,
  hashOf,
  issuerSerial,
  namesFirst,
  namesSecond,
} from '../tokens.ts';
import { bytes, hashes, names, type Row, type Rows, weak } from './parts.ts';

const OTHER = attribute('1.2.840.113549.1.9.5', utcTime('261122212300Z'));
/** Rows of the rule. */
export const RULE_3: Rows = [
  [
    ['ESSCertID alone', names(({ signer: own }) => [namesFirst(certificateId(own, 'sha1'))])],
    [
      'both versions',
      names(({ signer: own }) => [namesFirst(certificateId(own, 'sha1')), namesSecond(certificateId(own, 'sha256'))]),
    ],
    ...hashes
      .slice(1)
      .map((hash): Row => [
        `ESSCertIDv2 over ${hash}`,
        names(({ signer: own }) => [namesSecond(certificateId(own, hash))]),
      ]),
    [
      'a second ESSCertIDv2 of an authority',
      names(({ signer: own, between: [above = own] }) => [
        namesSecond(certificateId(own, 'sha256'), certificateId(above, 'sha256')),
      ]),
    ],
    [
      'a second ESSCertID that is of nothing',
      names(({ signer: own, root: top }) => [namesFirst(certificateId(own, 'sha1'), certificateId(top, 'sha1'))]),
    ],
    [
      'ESSCertIDv2 with issuer and serial number',
      names(({ signer: own }) => [namesSecond(certificateId(own, 'sha256', issuerSerial('authority 1', 42)))]),
    ],
    [
      'another attribute',
      { attributes: ({ contentType, digest, certificate }) => [contentType, OTHER, digest, certificate] },
    ],
    [
      'attributes in another order',
      { attributes: ({ contentType, digest, certificate }) => [certificate, digest, contentType] },
    ],
    ['unsigned attributes', { signerInfo: (fields) => [...fields, encodeDer(0xa1, OTHER)] }],
    [
      'an attribute that is not read with two values',
      {
        attributes: ({ contentType, digest, certificate }) => [
          contentType,
          attribute('1.2.3', NULL, NULL),
          digest,
          certificate,
        ],
      },
    ],
  ],
  [
    ['no content type', { attributes: ({ digest, certificate }) => [digest, certificate] }],
    ['no digest', { attributes: ({ contentType, certificate }) => [contentType, certificate] }],
    ['no ESSCertID', { attributes: ({ contentType, digest }) => [contentType, digest] }],
    [
      'the content type data',
      { attributes: ({ digest, certificate }) => [contentTypeOf('1.2.840.113549.1.7.1'), digest, certificate] },
    ],
    [
      'the content type twice',
      { attributes: ({ contentType, digest, certificate }) => [contentType, contentType, digest, certificate] },
    ],
    [
      'the digest twice',
      { attributes: ({ contentType, digest, certificate }) => [contentType, digest, digest, certificate] },
    ],
    [
      'ESSCertIDv2 twice',
      { attributes: ({ contentType, digest, certificate }) => [contentType, digest, certificate, certificate] },
    ],
    [
      'another attribute twice',
      { attributes: ({ contentType, digest, certificate }) => [contentType, digest, certificate, OTHER, OTHER] },
    ],
    [
      'two content types in one attribute',
      {
        attributes: ({ digest, certificate }) => [
          attribute('1.2.840.113549.1.9.3', encodeOid('1.2.840.113549.1.9.16.1.4'), encodeOid('1.2.3')),
          digest,
          certificate,
        ],
      },
    ],
    [
      'two digests in one attribute',
      {
        attributes: ({ contentType, digest, certificate }) => [
          contentType,
          digestAttribute(digest.slice(-32), new Uint8Array(32)),
          certificate,
        ],
      },
    ],
    [
      'a digest attribute without a value',
      { attributes: ({ contentType, certificate }) => [contentType, digestAttribute(), certificate] },
    ],
    [
      'the digest of something else',
      { attributes: ({ contentType, certificate }) => [contentType, digestAttribute(new Uint8Array(32)), certificate] },
    ],
    [
      'a digest by another algorithm',
      {
        hash: 'sha384',
        attributes: ({ contentType, certificate }) => [
          contentType,
          digestAttribute(hashOf('sha256', bytes())),
          certificate,
        ],
      },
    ],
    ...weak.map((hash): Row => [
      `ESSCertIDv2 over ${hash}`,
      names(({ signer: own }) => [namesSecond(sequence(hashAlgorithm(hash), octets(hashOf(hash, own))))]),
    ]),
    ['ESSCertID of another certificate', names(({ root: top }) => [namesFirst(certificateId(top, 'sha1'))])],
    ['ESSCertIDv2 of another certificate', names(({ root: top }) => [namesSecond(certificateId(top, 'sha256'))])],
    [
      'ESSCertIDv2 whose second entry is the signer',
      names(({ signer: own, root: top }) => [namesSecond(certificateId(top, 'sha256'), certificateId(own, 'sha256'))]),
    ],
    ['ESSCertIDv2 without an entry', names(() => [namesSecond()])],
    [
      'a good ESSCertID and a wrong ESSCertIDv2',
      names(({ signer: own, root: top }) => [
        namesFirst(certificateId(own, 'sha1')),
        namesSecond(certificateId(top, 'sha256')),
      ]),
    ],
    [
      'a wrong ESSCertID and a good ESSCertIDv2',
      names(({ signer: own, root: top }) => [
        namesFirst(certificateId(top, 'sha1')),
        namesSecond(certificateId(own, 'sha256')),
      ]),
    ],
    [
      'two values of ESSCertIDv2',
      names(({ signer: own }) => [
        attribute(
          '1.2.840.113549.1.9.16.2.47',
          sequence(sequence(certificateId(own, 'sha256'))),
          sequence(sequence(certificateId(own, 'sha256'))),
        ),
      ]),
    ],
    [
      'ESSCertIDv2 with another serial number',
      names(({ signer: own }) => [namesSecond(certificateId(own, 'sha256', issuerSerial('authority 1', 43)))]),
    ],
    [
      'ESSCertIDv2 with another issuer',
      names(({ signer: own }) => [namesSecond(certificateId(own, 'sha256', issuerSerial('root', 42)))]),
    ],
    ['no signed attributes', { signerInfo: (fields) => fields.toSpliced(3, 1) }],
    ['empty signed attributes', { attributes: () => [] }],
  ],
];
