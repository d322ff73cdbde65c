import { formatPem } from './certificates.ts';
import { bytes, join } from './kinds/parts.ts';

/** Pins that cannot be read, so that the trust file is refused. */
export const UNREADABLE_PINS: readonly (readonly [name: string, change: (pem: string) => string])[] = [
  ['nothing', () => ''],
  ['no certificate', () => 'junk'],
  ['a label of its own', (good) => good.replaceAll('CERTIFICATE', 'X509 CERTIFICATE')],
  ['the label of OpenSSL', (good) => good.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE')],
  ['two labels', (good) => good.replace('END CERTIFICATE', 'END X509')],
  ['a private key', (good) => `${good}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`],
  ['no end', (good) => good.slice(0, good.indexOf('-----END'))],
  ['four dashes', (good) => good.replace('-----BEGIN', '----BEGIN')],
  ['text before the first line', (good) => `x ${good}`],
  ['text after the last line', (good) => good.replace(/\n$/, ' x\n')],
  ['a vertical tab', (good) => good.replace('\n', '\n\u000b')],
  ['a character that is not of base64', (good) => good.replace('\nM', '\n*')],
  ['padding that is missing', (good) => good.replace(/=*\n-----END/, 'A\n-----END')],
  ['a byte after the certificate', (good) => formatPem(join(derOf(good), bytes(0)))],
  ['half a certificate', (good) => formatPem(derOf(good).subarray(0, 99))],
  ['an empty certificate', () => formatPem(bytes())],
  ['17 certificates', (good) => good.repeat(17)],
  ['more than 65,536 characters', (good) => good + ' '.repeat(65_536)],
];

function derOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.split('\n').slice(1, -2).join(''), 'base64'));
}
