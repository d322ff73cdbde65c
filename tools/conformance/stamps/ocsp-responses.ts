import { encodeDer, encodeOid } from '@answer-evidence/testing';
import {
  bits,
  type CertificateForm,
  type createKeys,
  extension,
  generalizedTime,
  hashAlgorithm,
  type HashName,
  integer,
  keyUsage,
  makeCertificate,
  nameOf,
  octets,
  PURPOSES,
  purposes,
  sequence,
  signBytes,
} from './certificates.ts';
import { hashOf } from './tokens.ts';

/** A response of OCSP about one certificate; what is left out is what a good one has. */
export type OcspForm = {
  /** When it was revoked, as in GeneralizedTime; left out, it is good. */
  readonly at?: string;
  readonly reason?: number;
  readonly isUnknown?: boolean;
  readonly serial?: Uint8Array;
  readonly hash?: HashName;
  /** The issuer, whose certificate is meant. */
  readonly about?: string;
  /** Who signs: a delegate of the issuer, of somebody else, or one to whom something else is delegated. */
  readonly by?: 'issuer' | 'delegate' | 'stranger' | 'other';
  readonly delegate?: Partial<CertificateForm>;
  /** How the responder is named. */
  readonly named?: 'name' | 'key' | 'wrong';
  /** When what it says began to be so, and until when a newer one comes; null for one that does not say. */
  readonly thisUpdate?: string;
  readonly nextUpdate?: string | null;
  readonly isCritical?: boolean;
  readonly status?: number;
  readonly isAltered?: boolean;
};

const BASIC = '1.3.6.1.5.5.7.48.1.1';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const ARCHIVE_CUTOFF = '1.3.6.1.5.5.7.48.1.6';
const ISSUER = 'authority 1';
const POINT_BYTES = 65;

/** Makes a response of OCSP by the keys of an authority. */
export function makeOcspResponse(keys: ReturnType<typeof createKeys>, form: OcspForm): Uint8Array {
  const { by = 'issuer', named = 'name', status = 0, isCritical = false, isAltered = false } = form;
  const isOwn = by === 'issuer';
  const signer = isOwn ? keys(ISSUER) : keys('delegate');
  const name = nameOf(named === 'wrong' ? 'nobody' : isOwn ? ISSUER : 'delegate');
  const responder =
    named === 'key' ? encodeDer(0xa2, octets(hashOf('sha1', pointOf(signer.spki)))) : encodeDer(0xa1, name);
  const critical = extension(ARCHIVE_CUTOFF, generalizedTime('20200101000000Z'), true);
  const tbs = sequence(
    responder,
    generalizedTime('20290601000000Z'),
    sequence(makeSingle(pointOf(keys(ISSUER).spki), form)),
    ...(isCritical ? [encodeDer(0xa1, sequence(critical))] : []),
  );
  const { algorithm, signature } = signBytes(signer, tbs);
  const certificate = makeCertificate({
    subject: 'delegate',
    key: keys('delegate'),
    issuer: ISSUER,
    issuerKey: by === 'stranger' ? keys('somebody') : keys(ISSUER),
    extensions: [purposes(false, by === 'other' ? PURPOSES.timeStamping : OCSP_SIGNING), keyUsage(7, 0x80)],
    ...form.delegate,
  });
  const signed = isAltered ? signBytes(signer, name).signature : signature;
  const carried = isOwn ? [] : [encodeDer(0xa0, sequence(certificate))];
  const basic = sequence(tbs, algorithm, bits(signed), ...carried);
  const typed = encodeDer(0xa0, sequence(encodeOid(BASIC), octets(basic)));
  return sequence(encodeDer(0x0a, Uint8Array.of(status)), ...(status === 0 ? [typed] : []));
}

function makeSingle(point: Uint8Array, form: OcspForm): Uint8Array {
  const { at, reason, serial = integer(42), hash = 'sha1', about = ISSUER, isUnknown = false } = form;
  const { thisUpdate = '20290601000000Z', nextUpdate = '20290608000000Z' } = form;
  const why = reason === undefined ? [] : [encodeDer(0xa0, encodeDer(0x0a, Uint8Array.of(reason)))];
  const good = encodeDer(isUnknown ? 0x82 : 0x80);
  return sequence(
    sequence(hashAlgorithm(hash), octets(hashOf(hash, nameOf(about))), octets(hashOf(hash, point)), serial),
    at === undefined ? good : encodeDer(0xa1, generalizedTime(at), ...why),
    generalizedTime(thisUpdate),
    ...(nextUpdate === null ? [] : [encodeDer(0xa0, generalizedTime(nextUpdate))]),
  );
}

function pointOf(spki: Uint8Array): Uint8Array {
  return spki.slice(-POINT_BYTES);
}
