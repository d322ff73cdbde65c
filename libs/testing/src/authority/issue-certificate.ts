import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOpenssl } from './openssl.ts';

/** Kinds of keys, each with what makes one. */
export const KEY_KINDS = {
  'rsa-2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'rsa-1024': () => generateKeyPairSync('rsa', { modulusLength: 1024 }),
  'rsa-pss': () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
  'p-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'p-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'p-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  secp256k1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
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
  /** For how long it is valid; a year when left out. */
  readonly days?: number;
};

/** Issues certificates into a folder, each with its key, by one run of `openssl`; returns the PEM. */
export async function issueCertificate(directory: string, order: CertificateOrder): Promise<string> {
  const { name, issuer, key = name, subject = `/O=Test/CN=${name}` } = order;
  if (key === name) {
    const { privateKey } = KEY_KINDS[order.keyKind ?? 'p-256']();
    await writeFile(join(directory, `${key}.key`), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  await writeFile(
    join(directory, `${name}.cnf`),
    `[req]\ndistinguished_name=none\n[none]\n[own]\n${order.extensions}\nsubjectKeyIdentifier=hash\n`,
  );
  await runOpenssl(directory, [
    ...['req', '-x509', '-new', '-config', `${name}.cnf`, '-extensions', 'own', '-key', `${key}.key`],
    ...[
      '-subj',
      subject,
      '-days',
      String(order.days ?? 365),
      `-${order.hash ?? 'sha256'}`,
      '-set_serial',
      String(order.serial ?? 1),
    ],
    ...(issuer === undefined ? [] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`]),
    ...['-out', `${name}.pem`],
  ]);
  return readFile(join(directory, `${name}.pem`), 'utf8');
}
