import { EncodingError, parseBase64 } from '@answer-evidence/encoding';
import { type Certificate, parseCertificate } from './certificate.ts';
import { TimestampError } from './timestamp-error.ts';

/** Sixteen certificates with room for the text that tools print around them. */
const PINNED_PEM_MAX_CHARACTERS = 64 * 1024;
const CERTIFICATES_MAX = 16;

/** A line of dashes is alone on its line, as RFC 7468 and OpenSSL have it. */
const BLOCK = /^-----BEGIN ([A-Z0-9 ]{1,64})-----[ \t]*$([^-]*)^-----END ([A-Z0-9 ]{1,64})-----[ \t]*$/gm;

/**
 * Reads certificates for a caller that pins them: each must also have a key that signatures can be verified with.
 * Throws `TimestampError` with the fault `bad_pinned_certificate`.
 */
export function parsePinnedCertificates(pem: string): readonly Certificate[] {
  const certificates = readPinnedCertificates(pem);
  for (const certificate of certificates) asPin(() => certificate.publicKey());
  return certificates;
}

/**
 * Reads the certificates of a PEM text (RFC 7468), at least one: roots, or others to begin trust with. Text between the
 * blocks is skipped, since tools write there what a certificate says; blocks of other kinds are refused, since one may
 * be a private key. Throws `TimestampError` with the fault `bad_pinned_certificate`.
 */
export function readPinnedCertificates(pem: string): readonly Certificate[] {
  if (pem.length > PINNED_PEM_MAX_CHARACTERS) throw badPin('it is too long');
  const blocks = [...pem.matchAll(BLOCK)];
  const fences = pem.split('-----BEGIN ').length - 1;
  if (blocks.length === 0 || fences !== blocks.length) throw badPin('it has no certificate, or a broken one');
  if (blocks.length > CERTIFICATES_MAX) throw badPin('it has more than 16 certificates');
  return blocks.map(([, label, body = '', endLabel]) => {
    if (label !== 'CERTIFICATE' || endLabel !== label) throw badPin('it has something other than certificates');
    return asPin(() => parseCertificate(parseBase64(body.replace(/[ \t\r\n]/g, ''))));
  });
}

function asPin<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TimestampError || error instanceof EncodingError) throw badPin(error.message);
    throw error;
  }
}

function badPin(reason: string): TimestampError {
  return new TimestampError('bad_pinned_certificate', `the pinned certificate cannot be used: ${reason}`);
}
