import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueCertificate } from '@answer-evidence/testing';
import { judgePems } from './judge-pems.ts';

const extensions = 'basicConstraints=critical,CA:TRUE';
const JUNK = '-----BEGIN CERTIFICATE-----\nc2VjcmV0IHdvcmRz\n-----END CERTIFICATE-----\n';

let folder: string;
let [certificate, key, other, otherKey] = ['', '', '', ''];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-pems-'));
  certificate = await issueCertificate(folder, { name: 'own', extensions });
  other = await issueCertificate(folder, { name: 'other', extensions });
  key = await readFile(join(folder, 'own.key'), 'utf8');
  otherKey = await readFile(join(folder, 'other.key'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function rsaKey(modulusLength: number, type: 'pkcs1' | 'pkcs8' = 'pkcs8', passphrase?: string): string {
  const sealed = passphrase === undefined ? {} : { cipher: 'aes-128-cbc', passphrase };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return privateKey.export({ type, format: 'pem', ...sealed }).toString();
}

describe('PEMs for a connection', () => {
  it('are accepted as pairs, chains, with words around their blocks, and where there are none', () => {
    expect(judgePems({})).toBeUndefined();
    expect(judgePems({ ca: `subject=CN=root\n${certificate}\r\n${other}` })).toBeUndefined();
    expect(judgePems({ ca: other, certificate, key })).toBeUndefined();
    expect(judgePems({ certificate: certificate + other, key: key.replaceAll('\n', '\r\n') })).toBeUndefined();
  });

  it.each(['words', JUNK, '-----BEGIN CERTIFICATE-----\n', '-----BEGIN X-----\n\n-----END X-----'])(
    'are refused as certificates where they are %j, alone or behind one that is fine',
    (text) => {
      for (const pem of [text, ...(text.includes('-----') ? [certificate + text] : [])]) {
        expect(judgePems({ ca: pem })).toMatchObject({ member: 'ca' });
        expect(judgePems({ certificate: pem, key })).toMatchObject({ member: 'certificate' });
      }
      expect(judgePems({ certificate, key: text })).toMatchObject({
        member: 'key',
        reason: 'not_a_key',
      });
    },
  );

  it('are refused where a key is among certificates', () => {
    const refused = { member: 'ca', reason: 'not_certificates' };
    expect(judgePems({ ca: certificate + key })).toEqual(refused);
    expect(judgePems({ certificate: certificate + key, key })).toEqual({ ...refused, member: 'certificate' });
  });

  it('are refused where key and certificate do not belong together, or there are two keys', () => {
    const refused = (reason: string) => ({ member: 'key', reason });
    expect(judgePems({ certificate, key: otherKey })).toEqual(refused('other_pair'));
    expect(judgePems({ certificate: other + certificate, key })).toEqual(refused('other_pair'));
    expect(judgePems({ certificate, key: key + otherKey })).toEqual(refused('not_a_key'));
  });

  it('are refused where a key is encrypted, in either form', () => {
    for (const type of ['pkcs1', 'pkcs8'] as const)
      expect(judgePems({ certificate, key: rsaKey(2_048, type, 'secret') })).toEqual({
        member: 'key',
        reason: 'encrypted',
      });
  });

  it('are refused where an RSA key has more than 4,096 bits', () => {
    const large = judgePems({ certificate, key: rsaKey(4_104) });
    expect(large).toEqual({ member: 'key', reason: 'too_large' });
  });
});
