import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatOpensslTime } from './issue-revocation-list.ts';
import { runOpenssl } from './openssl.ts';

/** Extensions of a certificate to which its issuer delegates responses of OCSP, in OpenSSL's words. */
export const RESPONDER_EXTENSIONS = 'extendedKeyUsage=OCSPSigning\nkeyUsage=critical,digitalSignature';

/** What a responder knows of one certificate. */
type OcspOrder = {
  /** The name of the certificate that issued it. */
  readonly issuer: string;
  /** The name of the certificate that signs; the issuer when left out. */
  readonly signer?: string;
  readonly serial: number;
  /** Left out, it is good. */
  readonly revoked?: { readonly at: Date; readonly reason?: string };
};

/** The response of `openssl ocsp` to a request, both in DER. */
export async function respondToOcsp(directory: string, request: Uint8Array, order: OcspOrder): Promise<Uint8Array> {
  const { issuer, signer = issuer, serial, revoked } = order;
  const why = revoked?.reason === undefined ? '' : `,${revoked.reason}`;
  const columns = [
    revoked === undefined ? 'V' : 'R',
    '491231235959Z',
    revoked === undefined ? '' : `${formatOpensslTime(revoked.at)}${why}`,
    serial.toString(16).padStart(2, '0').toUpperCase(),
    'unknown',
    '/CN=known',
  ];
  await writeFile(join(directory, 'ocsp.txt'), `${columns.join('\t')}\n`);
  await writeFile(join(directory, 'ocsp.req'), request);
  await runOpenssl(directory, [
    ...['ocsp', '-index', 'ocsp.txt', '-CA', `${issuer}.pem`, '-rsigner', `${signer}.pem`, '-rkey', `${signer}.key`],
    ...['-reqin', 'ocsp.req', '-respout', 'ocsp.rsp', '-ndays', '7'],
  ]);
  return new Uint8Array(await readFile(join(directory, 'ocsp.rsp')));
}
