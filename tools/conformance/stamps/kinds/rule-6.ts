import { encodeDer } from '@answer-evidence/testing';
import {
  basicConstraints,
  extension,
  formatPem,
  generalizedTime,
  integer,
  keyUsage,
  makeCertificate,
  NULL,
  PURPOSES,
  purposes,
  sequence,
} from '../certificates.ts';
import { GOOD_AUTHORITY, type Made } from '../tokens.ts';
import { between, bytes, NAME_CONSTRAINTS, POLICIES, POLICY_CONSTRAINTS, root, type Rows, unknown } from './parts.ts';

function otherRoot(keys: Made['keys'], subject = 'root'): Uint8Array {
  const key = keys('other');
  return makeCertificate({ subject, key, issuer: subject, issuerKey: key, extensions: GOOD_AUTHORITY });
}

/** Rows of the rule. */
export const RULE_6: Rows = [
  [
    ['no authority between', { authorities: 0 }],
    ['six authorities between', { authorities: 6 }],
    ['an authority that is pinned', { pem: ({ between: [above = bytes()] }) => formatPem(above) }],
    [
      'an authority that is pinned and not carried',
      { carried: ({ signer: own }) => [own], pem: ({ between: [above = bytes()] }) => formatPem(above) },
    ],
    ['the root carried as well', { carried: ({ signer: own, between: others, root: top }) => [own, ...others, top] }],
    ['certificates in another order', { carried: ({ signer: own, between: others }) => [...others, own] }],
    ['a certificate twice', { carried: ({ signer: own, between: others }) => [own, own, ...others, ...others] }],
    [
      '20 certificates that are not needed',
      {
        carried: ({ signer: own, between: others, root: top }) => [
          own,
          ...others,
          ...Array.from({ length: 20 }, () => top),
        ],
      },
    ],
    [
      '120 certificates that are not needed',
      {
        carried: ({ signer: own, between: others, root: top }) => [
          own,
          ...others,
          ...Array.from({ length: 120 }, () => top),
        ],
      },
    ],
    [
      'an attribute certificate',
      { carried: ({ signer: own, between: others }) => [own, ...others, encodeDer(0xa1, NULL)] },
    ],
    ['path length 0', between(basicConstraints(true, 0), keyUsage(2, 0x04))],
    ['a root of path length 1', root(basicConstraints(true, 1))],
    ['no key usage', between(basicConstraints(true))],
    ['basic constraints that are not critical', between(basicConstraints(true, undefined, false), keyUsage(2, 0x04))],
    ['more key usages', between(basicConstraints(true), keyUsage(1, 0x86))],
    ['the purpose time-stamping', between(...GOOD_AUTHORITY, purposes(false, PURPOSES.timeStamping))],
    ['any purpose', between(...GOOD_AUTHORITY, purposes(true, PURPOSES.any))],
    [
      'time-stamping among the purposes',
      between(...GOOD_AUTHORITY, purposes(false, PURPOSES.codeSigning, PURPOSES.timeStamping)),
    ],
    ['an unknown extension that is not critical', between(...GOOD_AUTHORITY, unknown(false))],
    ['policies', between(...GOOD_AUTHORITY, extension('2.5.29.32', POLICIES))],
    ['critical policies', between(...GOOD_AUTHORITY, extension('2.5.29.32', POLICIES, true))],
    [
      'policy constraints that are not critical',
      between(...GOOD_AUTHORITY, extension('2.5.29.36', POLICY_CONSTRAINTS)),
    ],
    ['a pinned root of version 1', { root: { version: 0, extensions: [] } }],
    ['a root that expired for ever later', { root: { notAfter: generalizedTime('99991231235959Z') } }],
  ],
  [
    ['seven authorities between', { authorities: 7 }],
    ['an authority that is not carried', { carried: ({ signer: own }) => [own] }],
    ['a root of another name', { pem: ({ keys }) => formatPem(otherRoot(keys, 'other')) }],
    ['an authority without basic constraints', between(keyUsage(2, 0x04))],
    ['an authority that is not one', between(basicConstraints(false), keyUsage(2, 0x04))],
    ['an authority of version 1', { between: { version: 0, extensions: [] } }],
    ['an authority that must not sign certificates', between(basicConstraints(true), keyUsage(7, 0x80))],
    ['an authority for code signing', between(...GOOD_AUTHORITY, purposes(false, PURPOSES.codeSigning))],
    ['an authority without purposes in its list', between(...GOOD_AUTHORITY, purposes(false))],
    ['an unknown critical extension', between(...GOOD_AUTHORITY, unknown(true))],
    ['name constraints', between(...GOOD_AUTHORITY, extension('2.5.29.30', NAME_CONSTRAINTS, true))],
    ['name constraints that are not critical', between(...GOOD_AUTHORITY, extension('2.5.29.30', NAME_CONSTRAINTS))],
    ['critical policy constraints', between(...GOOD_AUTHORITY, extension('2.5.29.36', POLICY_CONSTRAINTS, true))],
    ['critical inhibitAnyPolicy', between(...GOOD_AUTHORITY, extension('2.5.29.54', integer(0), true))],
    ['critical policy mappings', between(...GOOD_AUTHORITY, extension('2.5.29.33', sequence(), true))],
    ['an extension twice', between(...GOOD_AUTHORITY, unknown(false), unknown(false))],
    ['a root of path length 0', root(basicConstraints(true, 0))],
    ['a root that is no authority', root(keyUsage(2, 0x04))],
    ['a root that must not sign certificates', root(basicConstraints(true), keyUsage(7, 0x80))],
    ['a root for code signing', root(...GOOD_AUTHORITY, purposes(false, PURPOSES.codeSigning))],
    ['a root with name constraints', root(...GOOD_AUTHORITY, extension('2.5.29.30', NAME_CONSTRAINTS, true))],
    ['a root with an unknown critical extension', root(...GOOD_AUTHORITY, unknown(true))],
    ['a root of the same name and another key', { pem: ({ keys }) => formatPem(otherRoot(keys)) }],
    ['names that are equal in other letters', { signer: { issuer: 'AUTHORITY 1' } }],
    [
      'a carried certificate that cannot be read',
      { carried: ({ signer: own, between: others }) => [own, ...others, sequence(NULL)] },
    ],
  ],
];
