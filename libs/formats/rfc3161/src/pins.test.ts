import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Crafter, ISSUER_EXTENSIONS, openCrafter, runOpenssl } from '@answer-evidence/testing';
import { parsePinnedCertificates } from './index.ts';

let crafter: Crafter;
beforeAll(async () => {
  crafter = await openCrafter();
});
afterAll(() => crafter.close());

function expectBad(pem: string, reason: string) {
  let fault: unknown;
  try {
    parsePinnedCertificates(pem);
  } catch (error) {
    fault = error;
  }
  expect(fault).toMatchObject({ name: 'TimestampError', fault: 'bad_pinned_certificate' });
  expect(() => parsePinnedCertificates(pem)).toThrow(reason);
}

describe('parsePinnedCertificates', () => {
  it('reads one certificate or several, with the text that openssl prints between them and any line ends', async () => {
    const { rootPem } = crafter;
    expect(parsePinnedCertificates(rootPem)).toHaveLength(1);
    const printed = await runOpenssl(crafter.directory, ['x509', '-in', 'between.pem', '-text']);
    expect(parsePinnedCertificates(`${printed}\n${rootPem}`)).toHaveLength(2);
    expect(parsePinnedCertificates(rootPem.replaceAll('\n', '\r\n'))).toHaveLength(1);
  });

  it('refuses what is no certificate, broken, or secret, and says which without quoting it', async () => {
    const { rootPem } = crafter;
    const key = await readFile(`${crafter.directory}/root.key`, 'utf8');
    expectBad('', 'it has no certificate');
    expectBad('https://example.com/root.crt', 'it has no certificate');
    expectBad(rootPem.replace('-----END CERTIFICATE-----', ''), 'it has no certificate, or a broken one');
    expectBad(rootPem.trimEnd() + '0', 'it has no certificate, or a broken one');
    expectBad(`x${rootPem}`, 'it has no certificate, or a broken one');
    expectBad(rootPem + rootPem.slice(0, 200), 'it has no certificate, or a broken one');
    expectBad(key, 'it has something other than certificates');
    expectBad(rootPem + key, 'it has something other than certificates');
    expectBad(rootPem.replace('MII', 'MI*'), 'base64');
    expectBad(rootPem.replace('MIIB', 'MIIA'), 'malformed');
    expectBad(rootPem.repeat(17), 'more than 16');
    expectBad(`${' '.repeat(65_536)}${rootPem}`, 'too long');
  });

  it('refuses a certificate whose signatures could not be verified', async () => {
    expectBad(await crafter.issue({ name: 'weak', keyKind: 'rsa-1024', extensions: ISSUER_EXTENSIONS }), '2048');
    expectBad(await crafter.issue({ name: 'odd', keyKind: 'secp256k1', extensions: ISSUER_EXTENSIONS }), 'curve');
  });
});
