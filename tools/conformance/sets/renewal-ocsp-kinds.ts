import { integer, utcTime } from '../stamps/certificates.ts';
import type { OcspForm } from '../stamps/ocsp-responses.ts';
import type { RenewalKind } from './renewal-kinds.ts';

const STOLEN: OcspForm = { at: '20280101000000Z', reason: 1 };

const ENDED: OcspForm = { thisUpdate: '20290501000000Z' };

/** What a response says, and what comes of a token that was made in 2026 and renewed in June 2029. */
const RESPONSES: readonly (readonly [string, OcspForm, 'PASS' | 'FAIL'])[] = [
  ['of a good certificate', {}, 'PASS'],
  ['of a certificate that the responder does not know', { isUnknown: true }, 'PASS'],
  ['of one revoked before the token', { at: '20261122212259Z', reason: 4 }, 'FAIL'],
  ['of one revoked at the time of the token', { at: '20261122212300Z', reason: 4 }, 'FAIL'],
  ['of one superseded after the token', { at: '20280101000000Z', reason: 4 }, 'PASS'],
  ['of a stolen key, revoked before the renewal', STOLEN, 'FAIL'],
  ['of one revoked for no reason, before the renewal', { at: '20280101000000Z' }, 'FAIL'],
  ['of a stolen key, revoked after the renewal', { at: '20300101000000Z', reason: 1 }, 'PASS'],
  ['of a stolen key, by a delegate of the issuer', { ...STOLEN, by: 'delegate' }, 'FAIL'],
  ['of a stolen key, by one who is named by the key', { ...STOLEN, by: 'delegate', named: 'key' }, 'FAIL'],
  ['of a stolen key, by an issuer that is named by the key', { ...STOLEN, named: 'key' }, 'FAIL'],
  ['of a stolen key, by one who is named otherwise', { ...STOLEN, named: 'wrong' }, 'PASS'],
  ['of a stolen key, by a delegate of somebody else', { ...STOLEN, by: 'stranger' }, 'PASS'],
  ['of a stolen key, by one to whom other things are delegated', { ...STOLEN, by: 'other' }, 'PASS'],
  [
    'of a stolen key, by a delegate whose certificate had ended',
    { ...STOLEN, by: 'delegate', delegate: { notAfter: utcTime('290531235958Z') } },
    'PASS',
  ],
  ['of a stolen key, by the hash SHA-256', { ...STOLEN, hash: 'sha256' }, 'FAIL'],
  ['of a stolen key, by a hash that is not read', { ...STOLEN, hash: 'sha224' }, 'PASS'],
  ['of another certificate', { ...STOLEN, serial: integer(41) }, 'PASS'],
  ['of a certificate of another issuer', { ...STOLEN, about: 'somebody' }, 'PASS'],
  ['with a critical extension', { ...STOLEN, isCritical: true }, 'PASS'],
  ['with the signature of something else', { ...STOLEN, isAltered: true }, 'PASS'],
  ['of a stolen key, of a time after the renewal', { ...STOLEN, thisUpdate: '20290601000501Z' }, 'FAIL'],
  ['of a stolen key, which had ended', { ...STOLEN, ...ENDED, nextUpdate: '20290531235459Z' }, 'FAIL'],
  ['of a stolen key, without an end', { ...STOLEN, ...ENDED, nextUpdate: null }, 'FAIL'],
  ['that is a refusal', { ...STOLEN, status: 6 }, 'PASS'],
];

/** Each kind of response of OCSP that is kept with a renewal. */
export const RENEWAL_OCSP_KINDS: readonly RenewalKind[] = RESPONSES.map(([name, response, outcome]) => ({
  name: `with a response of OCSP ${name}`,
  later: [{ by: 'b', craft: { genTime: '20290601000000Z' }, responses: [response] }],
  outcome,
}));
