import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOpenssl } from './openssl.ts';

/** Kinds of keys, as `openssl genpkey` makes them. */
export const KEY_KINDS = {
  'rsa-2048': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'rsa-1024': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  'rsa-pss': ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'p-256': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'p-384': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  'p-521': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  secp256k1: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
} as const;

/** Extensions of a time-stamping authority's certificate, in OpenSSL's words. */
export const AUTHORITY_EXTENSIONS = 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature';
/** Extensions of a certificate that issues others, in OpenSSL's words. */
export const ISSUER_EXTENSIONS = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign';

/** A certificate to make. Its files are `<name>.pem` and `<key>.key` in the folder. */
export type CertificateOrder = {
  readonly name: string;
  /** Another certificate's name: its issuer. Left out, the certificate signs itself. */
  readonly issuer?: string;
  /** OpenSSL's words for the extensions; those for key identifiers are added. */
  readonly extensions: string;
  /** The name of the key; that of the certificate when left out. A key that is there already is used. */
  readonly key?: string;
  readonly keyKind?: keyof typeof KEY_KINDS;
  readonly subject?: string;
  readonly serial?: number;
  readonly hash?: string;
};

/** Issues certificates into a folder, each with its key; returns the PEM. */
export async function issueCertificate(directory: string, order: CertificateOrder): Promise<string> {
  const { name, issuer, key = name, subject = `/O=Test/CN=${name}` } = order;
  const keyFile = `${key}.key`;
  if (key === name) {
    await runOpenssl(directory, ['genpkey', ...KEY_KINDS[order.keyKind ?? 'p-256'], '-out', keyFile]);
  }
  await writeFile(join(directory, `${name}.ext`), `${order.extensions}\nsubjectKeyIdentifier=hash\n`);
  const request = ['req', '-new', '-key', keyFile, '-subj', subject, '-out', `${name}.csr`, '-config', '/dev/null'];
  await runOpenssl(directory, request);
  const signer = issuer === undefined ? ['-signkey', keyFile] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`];
  await runOpenssl(directory, [
    ...['x509', '-req', '-in', `${name}.csr`, ...signer, '-days', '365', `-${order.hash ?? 'sha256'}`],
    ...['-set_serial', String(order.serial ?? 1), '-extfile', `${name}.ext`, '-out', `${name}.pem`],
  ]);
  return readFile(join(directory, `${name}.pem`), 'utf8');
}
