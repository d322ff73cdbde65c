import { Integer, Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import { equalBytes } from '@answer-evidence/encoding';
import { digestOf } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { contextPrimitive, parseDer, TAG } from './der.ts';
import { keyBitsOf } from './ocsp-response.ts';
import { readToken } from './response.ts';
import { readSignedData } from './signed-data.ts';

/** A request for the status of a certificate, and the responder that the certificate names. */
export type OcspRequest = { readonly url: string; readonly der: Uint8Array };

const OID_OCSP = '1.3.6.1.5.5.7.48.1';
const OID_SHA1 = '1.3.14.3.2.26';
const URI = contextPrimitive(6);

/**
 * Requests of OCSP (RFC 6960) for the certificates in a token that name a responder over HTTP, and whose issuer is in
 * the token, too. Throws `TimestampError`.
 */
export async function formatOcspRequests(responseDer: Uint8Array): Promise<readonly OcspRequest[]> {
  const certificates = readSignedData(readToken(responseDer)).certificates.map(readCertificate);
  const requests: OcspRequest[] = [];
  for (const certificate of certificates) {
    const [url] = readResponders(certificate);
    const issuer = certificates.find(({ subject }) => equalBytes(subject.raw, certificate.issuer));
    if (url === undefined || issuer === undefined) continue;
    requests.push({ url, der: await formatOcspRequest(certificate, issuer) });
  }
  return requests;
}

/** CertID by SHA-1, which every responder knows (RFC 5019 section 2.1.1): it names a certificate, no more. */
async function formatOcspRequest({ serialNumber }: Certificate, issuer: Certificate): Promise<Uint8Array> {
  const hashed = await Promise.all(
    [issuer.subject.raw, keyBitsOf(issuer)].map(async (bytes) => {
      return new OctetString({ valueHex: new Uint8Array(await digestOf('SHA-1', bytes)) });
    }),
  );
  const algorithm = new Sequence({ value: [new ObjectIdentifier({ value: OID_SHA1 }), new Null()] });
  const serial = new Integer({ valueHex: new Uint8Array(serialNumber) });
  const certId = new Sequence({ value: [algorithm, ...hashed, serial] });
  const within = (value: Sequence) => new Sequence({ value: [value] });
  return new Uint8Array(within(within(within(within(certId)))).toBER());
}

/** The responders that a certificate names (RFC 5280 section 4.2.2.1). */
function readResponders({ extensions: { authorityInformation: value } }: Certificate): readonly string[] {
  if (value === undefined) return [];
  const list = parseDer(value);
  if (list.tag !== TAG.sequence) return [];
  return list.children
    .filter(({ children: [method] }) => method?.oid === OID_OCSP)
    .flatMap(({ children: [, place] }) => (place?.tag === URI ? [place.content] : []))
    .map((content) => new TextDecoder('latin1').decode(content))
    .filter((address) => /^https?:\/\//i.test(address));
}
