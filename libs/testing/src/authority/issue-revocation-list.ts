import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOpenssl } from './openssl.ts';

/** Extensions of a certificate that issues others and revokes them, in OpenSSL's words. */
export const REVOKER_EXTENSIONS = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign';

const CONFIGURATION = `[ca]
default_ca=own
[own]
database=index.txt
default_md=sha256
crlnumber=number
`;

/** A certificate to revoke. */
type RevocationOrder = {
  /** The name of the certificate that issued it. */
  readonly issuer: string;
  readonly serial: number;
  /** In OpenSSL's words. */
  readonly reason: string;
  readonly at: Date;
};

/** The revocation list of an issuer in a folder, DER, by `openssl ca`. */
export async function issueRevocationList(directory: string, order: RevocationOrder): Promise<Uint8Array> {
  const { issuer, serial, reason, at } = order;
  const revoked = `${formatOpensslTime(at)},${reason}`;
  const columns = ['R', '491231235959Z', revoked, serial.toString(16).padStart(2, '0'), 'unknown', '/CN=revoked'];
  await writeFile(join(directory, 'ca.cnf'), CONFIGURATION);
  await writeFile(join(directory, 'index.txt'), `${columns.join('\t')}\n`);
  await writeFile(join(directory, 'number'), '01\n');
  const own = ['-config', 'ca.cnf', '-cert', `${issuer}.pem`, '-keyfile', `${issuer}.key`];
  await runOpenssl(directory, ['ca', ...own, '-gencrl', '-crldays', '30', '-out', 'list.pem']);
  await runOpenssl(directory, ['crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list.der']);
  return new Uint8Array(await readFile(join(directory, 'list.der')));
}

/** As in UTCTime. */
export function formatOpensslTime(at: Date): string {
  return `${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`;
}
