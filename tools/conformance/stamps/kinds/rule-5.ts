import { encodeDer, encodeOid } from '@answer-evidence/testing';
import {
  basicConstraints,
  extension,
  formatPem,
  integer,
  keyIdentifier,
  keyUsage,
  nameOf,
  PURPOSES,
  purposes,
  sequence,
} from '../certificates.ts';
import { type Craft, GOOD_SIGNER } from '../tokens.ts';
import { KEY_ID, NAME_CONSTRAINTS, POLICIES, PURPOSE, type Rows, signer, unknown } from './parts.ts';

const byKeyIdentifier: Craft = {
  signer: { extensions: [...GOOD_SIGNER, keyIdentifier(KEY_ID)] },
  identifier: () => encodeDer(0x80, KEY_ID),
};
/** Rows of the rule. */
export const RULE_5: Rows = [
  [
    ['named by key identifier', byKeyIdentifier],
    ['no key usage', signer(PURPOSE)],
    ['nonRepudiation alone', signer(PURPOSE, keyUsage(6, 0x40))],
    ['both bits of signatures', signer(PURPOSE, keyUsage(6, 0xc0))],
    ['digitalSignature and keyEncipherment', signer(PURPOSE, keyUsage(5, 0xa0))],
    ['basic constraints that say no', signer(...GOOD_SIGNER, basicConstraints(false))],
    ['an unknown extension that is not critical', signer(...GOOD_SIGNER, unknown(false))],
    ['critical policies', signer(...GOOD_SIGNER, extension('2.5.29.32', POLICIES, true))],
    ['a serial number of 20 octets', { signer: { serial: encodeDer(0x02, KEY_ID.with(0, 0x4f)) } }],
    ['pinned itself, not carried', { carried: () => [], pem: ({ signer: own }) => formatPem(own) }],
    ['pinned itself and carried', { pem: ({ signer: own }) => formatPem(own) }],
  ],
  [
    ['a signer that is an authority', signer(...GOOD_SIGNER, basicConstraints(true))],
    [
      'a pinned signer that is an authority',
      { ...signer(...GOOD_SIGNER, basicConstraints(true)), pem: ({ signer: own }) => formatPem(own) },
    ],
    ['a signer that is an authority, not critically', signer(...GOOD_SIGNER, basicConstraints(true, undefined, false))],
    ['no purpose', signer(keyUsage(7, 0x80))],
    ['a purpose that is not critical', signer(purposes(false, PURPOSES.timeStamping))],
    ['another purpose', signer(purposes(true, PURPOSES.codeSigning))],
    ['any purpose', signer(purposes(true, PURPOSES.any))],
    ['two purposes', signer(purposes(true, PURPOSES.timeStamping, PURPOSES.codeSigning))],
    ['the purpose twice', signer(purposes(true, PURPOSES.timeStamping, PURPOSES.timeStamping))],
    ['no purpose in the list', signer(purposes(true))],
    ['two lists of purposes', signer(PURPOSE, PURPOSE)],
    ['a key usage without a signature bit', signer(PURPOSE, keyUsage(5, 0x20))],
    ['a key usage without bits', signer(PURPOSE, keyUsage(0))],
    ['an unknown critical extension', signer(...GOOD_SIGNER, unknown(true))],
    ['name constraints', signer(...GOOD_SIGNER, extension('2.5.29.30', NAME_CONSTRAINTS))],
    ['not carried and not pinned', { carried: ({ between: others }) => others }],
    ['another serial number named', { identifier: () => sequence(nameOf('authority 1'), integer(43)) }],
    ['another issuer named', { identifier: () => sequence(nameOf('root'), integer(42)) }],
    ['another key identifier named', { ...byKeyIdentifier, identifier: () => encodeDer(0x80, KEY_ID.with(0, 9)) }],
    ['a key identifier that the certificate lacks', { identifier: () => encodeDer(0x80, KEY_ID) }],
    ['two algorithms in one certificate', { signer: { innerAlgorithm: sequence(encodeOid('1.2.840.10045.4.3.3')) } }],
    ['extensions in a certificate of version 1', { signer: { version: 0 } }],
  ],
];
