import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { PemFault, TlsPems } from '@answer-evidence/ports';

/** A signature by a larger key costs more time than a handshake is worth. */
const RSA_BITS_MAX = 4_096;

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;
const BEGIN = /-----BEGIN /g;

/** What is wrong with them, if anything is. */
export function judgePems({ ca, certificate, key }: TlsPems): PemFault | undefined {
  if (ca !== undefined && readCertificates(ca) === undefined) return { member: 'ca', reason: 'not_certificates' };
  const certificates = certificate === undefined ? undefined : readCertificates(certificate);
  if (certificate !== undefined && certificates === undefined)
    return { member: 'certificate', reason: 'not_certificates' };
  if (key === undefined) return undefined;
  const read = readKey(key);
  if (typeof read === 'string') return { member: 'key', reason: read };
  const own = certificates?.[0];
  if (own === undefined) return undefined;
  if (!own.checkPrivateKey(read)) return { member: 'key', reason: 'other_pair' };
  return isUsable(certificate, key) ? undefined : { member: 'certificate', reason: 'unusable' };
}

function readCertificates(text: string): readonly X509Certificate[] | undefined {
  const blocks = blocksOf(text);
  if (blocks.length === 0 || blocks.some(({ label }) => label !== 'CERTIFICATE')) return undefined;
  if (blocks.length !== text.match(BEGIN)?.length) return undefined;
  try {
    return blocks.map(({ block }) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}

/** The key, or what is wrong with it. */
function readKey(text: string): KeyObject | PemFault['reason'] {
  if (text.includes('BEGIN ENCRYPTED PRIVATE KEY') || text.includes('4,ENCRYPTED')) return 'encrypted';
  const keys = blocksOf(text).filter(({ label }) => label !== 'EC PARAMETERS');
  const [only] = keys;
  if (only === undefined || keys.length > 1 || !only.label.endsWith('PRIVATE KEY')) return 'not_a_key';
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: only.block, format: 'pem' });
  } catch {
    return 'not_a_key';
  }
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) > RSA_BITS_MAX ? 'too_large' : key;
}

function blocksOf(text: string): readonly { readonly label: string; readonly block: string }[] {
  return [...text.matchAll(BLOCK)].map(([block, label = '']) => ({ label, block }));
}

/** OpenSSL refuses keys and hashes that are too weak, and each kind that no suite of TLS has. */
function isUsable(cert: string | undefined, key: string): boolean {
  try {
    createSecureContext({ cert, key });
    return true;
  } catch {
    return false;
  }
}
