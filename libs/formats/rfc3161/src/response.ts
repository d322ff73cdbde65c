import { type DerNode, parseDer, TAG } from './der.ts';
import { createFields, readSmallInteger } from './fields.ts';
import { TimestampError } from './timestamp-error.ts';

/** Names of PKIFailureInfo's bits (RFC 3161 section 2.4.2). */
const FAILURES: Readonly<Record<number, string>> = {
  0: 'badAlg',
  2: 'badRequest',
  5: 'badDataFormat',
  14: 'timeNotAvailable',
  15: 'unacceptedPolicy',
  16: 'unacceptedExtension',
  17: 'addInfoNotAvailable',
  25: 'systemFailure',
};

const STATUSES: readonly string[] = [
  'granted',
  'grantedWithMods',
  'rejection',
  'waiting',
  'revocationWarning',
  'revocationNotification',
];
const GRANTED_WITH_MODS = 1;

/** The token (a ContentInfo) of a granted TimeStampResp, with or without modifications. Throws `TimestampError`. */
export function readToken(responseDer: Uint8Array): DerNode {
  const what = 'a TimeStampResp';
  const fields = createFields(parseDer(responseDer), what);
  const info = createFields(fields.take(TAG.sequence), what);
  const status = readSmallInteger(info.take(TAG.integer), what);
  info.optional(TAG.sequence);
  const failure = info.optional(TAG.bitString);
  info.end();
  if (status > GRANTED_WITH_MODS) {
    // The text that the authority adds is its own and goes no further than here.
    const names = failure === undefined ? [] : failureNames(failure.content);
    const reason = [STATUSES[status] ?? 'an unknown status', ...names].join(', ');
    throw new TimestampError('status_not_granted', `the authority did not grant a time-stamp: ${reason}`);
  }
  const token = fields.take(TAG.sequence);
  fields.end();
  return token;
}

function failureNames(bits: Uint8Array): readonly string[] {
  return Object.entries(FAILURES)
    .filter(([bit]) => ((bits[1 + (Number(bit) >> 3)] ?? 0) & (0x80 >> (Number(bit) & 7))) !== 0)
    .map(([, name]) => name);
}
