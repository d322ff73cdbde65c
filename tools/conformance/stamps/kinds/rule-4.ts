import { encodeDer, encodeOid } from '@answer-evidence/testing';
import { hashAlgorithm, type HashName, integer, NULL, OID_RSA, sequence } from '../certificates.ts';
import { type Craft } from '../tokens.ts';
import { bytes, curves, foreign, hashes, join, keyOf, PLACES, type Row, type Rows, weak } from './parts.ts';

const bareRsa: Craft = { signerKey: 'rsa', signed: { algorithm: sequence(encodeOid(OID_RSA), NULL) } };
/** Rows of the rule. */
export const RULE_4: Rows = [
  [
    ...curves.flatMap((kind) => hashes.map((hash): Row => [`${kind} over ${hash}`, { signerKey: kind, hash }])),
    ...hashes.map((hash): Row => [`RSA over ${hash}`, { signerKey: 'rsa', hash }]),
    ...hashes.map((hash): Row => [`RSA-PSS over ${hash}`, { signerKey: 'rsa', hash, signed: { pss: { hash } } }]),
    ['rsaEncryption alone', bareRsa],
    ['rsaEncryption alone over sha512', { ...bareRsa, hash: 'sha512' }],
    ['RSA of 3072 bits', { signerKey: 'rsa3072' }],
    ['RSA of 4096 bits', { signerKey: 'rsa4096' }],
    ['a key for PSS', { signerKey: 'pss', signed: { pss: { hash: 'sha256' } } }],
    ['PSS without salt', { signerKey: 'rsa', signed: { pss: { hash: 'sha256', salt: 0 } } }],
    ['PSS with a salt of 20', { signerKey: 'rsa', signed: { pss: { hash: 'sha256', salt: 20 } } }],
    ['a signature over another hash than the digest', { signerKey: 'rsa', hash: 'sha256', signed: { hash: 'sha512' } }],
    ...curves.slice(1).flatMap((kind): readonly Row[] => [
      [`an authority of ${kind}`, keyOf('between', kind)],
      [`a root of ${kind}`, keyOf('root', kind)],
    ]),
    ['an authority of RSA', keyOf('between', 'rsa')],
    ['a root of RSA', keyOf('root', 'rsa')],
    ['a root that signs with PSS', { rootKey: 'rsa', between: { signed: { pss: { hash: 'sha256' } } } }],
    ['an authority signed over SHA-512', { rootKey: 'rsa', between: { signed: { hash: 'sha512' } } }],
    ['a root signed by itself over SHA-1', { rootKey: 'rsa', root: { signed: { hash: 'sha1' } } }],
  ],
  [
    ...weak.map((hash): Row => [`a digest by ${hash}`, { signerKey: 'rsa', hash, signed: { hash: 'sha256' } }]),
    ...weak.map((hash): Row => [`RSA over ${hash}`, { signerKey: 'rsa', signed: { hash } }]),
    ...weak.map((hash): Row => [`P-256 over ${hash}`, { signed: { hash } }]),
    ...weak.map((hash): Row => [`PSS over ${hash}`, { signerKey: 'rsa', signed: { pss: { hash } } }]),
    ...foreign.flatMap((kind) =>
      PLACES.map((place): Row => [`${kind} as the key of the ${place}`, keyOf(place, kind)]),
    ),
    ...PLACES.map((place): Row => [`RSA of 1024 bits as the key of the ${place}`, keyOf(place, 'rsa1024')]),
    ...PLACES.map((place): Row => [`Ed25519 as the key of the ${place}`, keyOf(place, 'ed25519')]),
    [
      'PSS with the mask of another hash',
      { signerKey: 'rsa', signed: { algorithm: pssNamed('sha256', 'sha512', 32), pss: { hash: 'sha256' } } },
    ],
    [
      'PSS with another salt than stated',
      { signerKey: 'rsa', signed: { algorithm: pssNamed('sha256', 'sha256', 33), pss: { hash: 'sha256' } } },
    ],
    [
      'PSS without parameters',
      {
        signerKey: 'rsa',
        signed: { algorithm: sequence(encodeOid('1.2.840.113549.1.1.10')), pss: { hash: 'sha256' } },
      },
    ],
    [
      'PSS with empty parameters',
      {
        signerKey: 'rsa',
        signed: { algorithm: sequence(encodeOid('1.2.840.113549.1.1.10'), sequence()), pss: { hash: 'sha256' } },
      },
    ],
    [
      'a key for PSS with PKCS #1',
      {
        signerKey: 'pss',
        signed: { pss: { hash: 'sha256' }, algorithm: sequence(encodeOid('1.2.840.113549.1.1.11'), NULL) },
      },
    ],
    [
      'SHA-256 signed and SHA-512 named',
      { signerKey: 'rsa', signed: { algorithm: sequence(encodeOid('1.2.840.113549.1.1.13'), NULL) } },
    ],
    [
      'SHA-256 signed and SHA-1 named',
      { signerKey: 'rsa', signed: { algorithm: sequence(encodeOid('1.2.840.113549.1.1.5'), NULL) } },
    ],
    ['rsaEncryption over another hash than the digest', { ...bareRsa, signed: { ...bareRsa.signed, hash: 'sha512' } }],
    ['RSA named for a key of P-256', { signed: { algorithm: sequence(encodeOid('1.2.840.113549.1.1.11'), NULL) } }],
    [
      'ECDSA named for a key of RSA',
      { signerKey: 'rsa', signed: { algorithm: sequence(encodeOid('1.2.840.10045.4.3.2')) } },
    ],
    ['the kind of a P-256 key as its algorithm', { signed: { algorithm: sequence(encodeOid('1.2.840.10045.2.1')) } }],
    ['a changed signature', { signature: (made) => made.with(-1, (made.at(-1) ?? 0) ^ 1) }],
    ['a signature without octets', { signature: () => bytes() }],
    ['a signature with a byte after it', { signature: (made) => join(made, bytes(0)) }],
    ['a changed RSA signature', { signerKey: 'rsa', signature: (made) => made.with(9, (made[9] ?? 0) ^ 1) }],
    ['an ECDSA signature of zeros', { signature: () => sequence(integer(0), integer(0)) }],
    ['an authority signed over SHA-1', { rootKey: 'rsa', between: { signed: { hash: 'sha1' } } }],
    ['a signer signed over SHA-1', { betweenKey: 'rsa', signer: { signed: { hash: 'sha1' } } }],
  ],
];

function pssNamed(hash: HashName, mask: HashName, salt: number): Uint8Array {
  const masked = sequence(encodeOid('1.2.840.113549.1.1.8'), hashAlgorithm(mask));
  const parts = [encodeDer(0xa0, hashAlgorithm(hash)), encodeDer(0xa1, masked), encodeDer(0xa2, integer(salt))];
  return sequence(encodeOid('1.2.840.113549.1.1.10'), sequence(...parts));
}
