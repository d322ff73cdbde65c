import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ascii,
  AUTHORITY_EXTENSIONS,
  type Craft,
  CRAFTED_DIGEST,
  CRAFTED_NONCE,
  type Crafter,
  encodeDer,
  encodeOid,
  ISSUER_EXTENSIONS,
  openCrafter,
} from '@answer-evidence/testing';
import { type TimestampExpectation, type TimestampFault, verifyTimestamp } from './index.ts';

let crafter: Crafter;
beforeAll(async () => {
  crafter = await openCrafter();
});
afterAll(() => crafter.close());

async function verify(craft: Craft, changes: Partial<TimestampExpectation> = {}) {
  const response = await crafter.craft(craft);
  return verifyTimestamp(response, {
    digest: CRAFTED_DIGEST,
    nonce: CRAFTED_NONCE,
    rootsPem: [crafter.rootPem],
    ...changes,
  });
}

async function expectFault(fault: TimestampFault, craft: Craft, changes: Partial<TimestampExpectation> = {}) {
  await expect(verify(craft, changes)).rejects.toMatchObject({ name: 'TimestampError', fault });
}

/** Now, truncated to the second, as GeneralizedTime: certificates are valid from a second not after their creation. */
const secondsNow = (): string => new Date().toISOString().slice(0, 19).replace(/[-:T]/g, '');

const ABOVE_AUTHORITY = { carried: ['between'] };

describe('verifyTimestamp believes', () => {
  it('a response that openssl cms made, and reads its time to the microsecond', async () => {
    const verified = await verify({ tstInfo: { genTime: `${secondsNow()}.000001Z` } });
    expect(verified.genTimeMicros % 1_000_000).toBe(1);
    const whole = await verify({ tstInfo: { genTime: `${secondsNow()}Z` } });
    expect(whole.genTimeMicros % 1_000_000).toBe(0);
    expect(verified).toMatchObject({
      accuracyMicros: undefined,
      serialNumber: '2a',
      authority: 'O=Test, CN=authority',
    });
  });

  it.each([
    ['a status of grantedWithMods', { status: Uint8Array.of(0x30, 3, 2, 1, 1) }],
    ['a signer named by key identifier', { cms: ['-keyid'] }],
    ['a signature over SHA-384 by a key of P-256', { hash: 'sha384' }],
    [
      'a TSTInfo with ordering, a name and an extension that is not critical',
      {
        tstInfo: {
          tail: [
            encodeDer(0xa0, encodeDer(0x82, ascii('tsa.example'))),
            encodeDer(0xa1, encodeDer(0x30, encodeOid('1.2.3'), encodeDer(0x04, ascii('x')))),
          ],
        },
      },
    ],
    ['a token that carries its root too', { carried: ['between', 'root'] }],
  ] satisfies readonly [string, Craft][])('%s', async (_, craft) => {
    await expect(verify({ ...ABOVE_AUTHORITY, ...craft })).resolves.toMatchObject({ policyOid: '1.3.6.1.4.1.99999.1' });
  });

  it('a signature by RSA-PSS, with a key of either type', async () => {
    await crafter.issue({
      name: 'rsa',
      issuer: 'between',
      keyKind: 'rsa-2048',
      extensions: AUTHORITY_EXTENSIONS,
      serial: 20,
    });
    await crafter.issue({
      name: 'pss',
      issuer: 'between',
      keyKind: 'rsa-pss',
      extensions: AUTHORITY_EXTENSIONS,
      serial: 21,
    });
    const padding = ['-keyopt', 'rsa_padding_mode:pss'];
    for (const digest of ['sha256', 'sha512']) {
      await verify({ signer: 'rsa', hash: digest, cms: padding });
      await verify({ signer: 'pss', hash: digest, cms: padding });
      await verify({ signer: 'rsa', hash: digest });
    }
    await expectFault('unsupported_algorithm', { signer: 'rsa', cms: [...padding, '-keyopt', 'rsa_mgf1_md:sha1'] });
  });

  it('a chain that begins with a pinned intermediate, or with the pinned certificate of the authority itself', async () => {
    const { readFile } = await import('node:fs/promises');
    for (const name of ['between', 'authority']) {
      const pem = await readFile(`${crafter.directory}/${name}.pem`, 'utf8');
      await verify({}, { rootsPem: [pem] });
      await verify({ carried: [] }, { rootsPem: [pem] });
    }
    const authority = await readFile(`${crafter.directory}/authority.pem`, 'utf8');
    await verify({ carried: [], cms: ['-nocerts'] }, { rootsPem: [authority] });
  });
});

describe('verifyTimestamp refuses, and says why:', () => {
  it.each([
    ['status_not_granted', 'a rejection', { status: Uint8Array.of(0x30, 3, 2, 1, 2) }],
    ['status_not_granted', 'a request to wait', { status: Uint8Array.of(0x30, 3, 2, 1, 3) }],
    ['wrong_content_type', 'signed content that is no time-stamp', { contentType: '1.2.840.113549.1.7.1' }],
    ['malformed', 'a TSTInfo of another version', { tstInfo: { version: 2 } }],
    ['malformed', 'a TSTInfo with something after its end', { tstInfo: { tail: [encodeDer(0x05)] } }],
    ['malformed', 'a time with an offset', { tstInfo: { genTime: '20260101000000+0100' } }],
    ['malformed', 'a time that does not exist', { tstInfo: { genTime: '20260230000000Z' } }],
    ['wrong_imprint_algorithm', 'a digest of another hash', { tstInfo: { imprintOid: '2.16.840.1.101.3.4.2.3' } }],
    ['digest_mismatch', 'another digest', { tstInfo: { digest: new Uint8Array(32) } }],
    ['digest_mismatch', 'a digest cut short', { tstInfo: { digest: CRAFTED_DIGEST.subarray(1) } }],
    ['nonce_mismatch', 'another nonce', { tstInfo: { nonce: Uint8Array.of(7, 7, 8) } }],
    ['nonce_mismatch', 'no nonce', { tstInfo: { nonce: null } }],
    [
      'unknown_critical_extension',
      'a critical extension of the TSTInfo',
      {
        tstInfo: {
          tail: [encodeDer(0xa1, encodeDer(0x30, encodeOid('1.2.3'), encodeDer(1, Uint8Array.of(0xff)), encodeDer(4)))],
        },
      },
    ],
    ['unsupported_algorithm', 'SHA-1', { hash: 'sha1' }],
    ['wrong_signed_attributes', 'a token that does not name its certificate', { withoutCertificateId: true }],
    ['malformed', 'a token without signed attributes', { withoutCertificateId: true, cms: ['-noattr'] }],
    ['signer_not_found', 'a token without certificates', { carried: [], cms: ['-nocerts'] }],
    ['untrusted', 'a token without the certificate between', { carried: [] }],
    ['certificate_expired', 'a time after the certificates', { tstInfo: { genTime: '20400101000000Z' } }],
    ['certificate_not_yet_valid', 'a time before the certificates', { tstInfo: { genTime: '20200101000000Z' } }],
  ] satisfies readonly [TimestampFault, string, Craft][])('%s: %s', async (fault, _, craft) => {
    await expectFault(fault, { ...ABOVE_AUTHORITY, ...craft });
  });

  it('time_in_future: a time-stamp from after the time of its reader', async () => {
    const nowMicros = (Date.now() - 10 * 60 * 1000) * 1000;
    await expectFault('time_in_future', {}, { nowMicros });
    await verify({}, { nowMicros: nowMicros + 6 * 60 * 1_000_000 });
  });

  it('untrusted: a root of the same name that is not the pinned one', async () => {
    const other = await crafter.issue({
      name: 'other-root',
      subject: '/O=Test/CN=root',
      extensions: ISSUER_EXTENSIONS,
    });
    await expectFault('signature_invalid', {}, { rootsPem: [other] });
    const unrelated = await crafter.issue({ name: 'unrelated', extensions: ISSUER_EXTENSIONS });
    await expectFault('untrusted', {}, { rootsPem: [unrelated] });
    await expectFault('untrusted', { carried: ['between', 'root'] }, { rootsPem: [unrelated] });
    await verify({}, { rootsPem: [unrelated, other, crafter.rootPem] });
  });

  it.each([
    ['without a purpose', 'wrong_key_usage', 'keyUsage=digitalSignature'],
    ['whose purpose is not critical', 'wrong_key_usage', 'extendedKeyUsage=timeStamping'],
    ['with another purpose', 'wrong_key_usage', 'extendedKeyUsage=critical,codeSigning'],
    ['with a further purpose', 'wrong_key_usage', 'extendedKeyUsage=critical,timeStamping,codeSigning'],
    ['whose key may not sign', 'wrong_key_usage', 'extendedKeyUsage=critical,timeStamping\nkeyUsage=keyEncipherment'],
    [
      'with an unknown critical extension',
      'unknown_critical_extension',
      `${AUTHORITY_EXTENSIONS}\n1.2.3.4=critical,ASN1:NULL`,
    ],
  ] satisfies readonly [string, TimestampFault, string][])('an authority %s', async (words, fault, extensions) => {
    const name = `bad-${words.replaceAll(/\W/g, '-')}`;
    await crafter.issue({ name, issuer: 'between', extensions, serial: 30 });
    await expectFault(fault, { signer: name });
  });

  it('weak_key, unsupported_algorithm: an authority with a key too short, or of a curve that is not read', async () => {
    const order = { issuer: 'between', extensions: AUTHORITY_EXTENSIONS, serial: 31 };
    await crafter.issue({ ...order, name: 'weak', keyKind: 'rsa-1024' });
    await expectFault('weak_key', { signer: 'weak' });
    await crafter.issue({ ...order, name: 'bitcoin', keyKind: 'secp256k1' });
    await expectFault('unsupported_algorithm', { signer: 'bitcoin' });
  });

  it.each([
    ['that is no authority', 'not_an_issuer', 'basicConstraints=critical,CA:FALSE'],
    ['that does not say what it is', 'not_an_issuer', 'keyUsage=keyCertSign'],
    ['whose key may not sign certificates', 'not_an_issuer', 'basicConstraints=critical,CA:TRUE\nkeyUsage=cRLSign'],
    ['for another purpose', 'not_an_issuer', `${ISSUER_EXTENSIONS}\nextendedKeyUsage=serverAuth`],
    [
      'with an unknown critical extension',
      'unknown_critical_extension',
      `${ISSUER_EXTENSIONS}\n1.2.3.4=critical,ASN1:NULL`,
    ],
    [
      'with constraints on names',
      'unknown_critical_extension',
      `${ISSUER_EXTENSIONS}\nnameConstraints=permitted;DNS:example.com`,
    ],
  ] satisfies readonly [string, TimestampFault, string][])(
    'a certificate between %s',
    async (words, fault, extensions) => {
      const name = `between-${words.replaceAll(/\W/g, '-')}`;
      await crafter.issue({ name, issuer: 'root', extensions, serial: 40 });
      await crafter.issue({ name: `below-${name}`, issuer: name, extensions: AUTHORITY_EXTENSIONS, serial: 41 });
      await expectFault(fault, { signer: `below-${name}`, carried: [name] });
    },
  );

  it('not_an_issuer: a chain that is longer than a certificate in it allows', async () => {
    const none = ISSUER_EXTENSIONS.replace('CA:TRUE', 'CA:TRUE,pathlen:0');
    await crafter.issue({ name: 'last', issuer: 'root', extensions: none, serial: 50 });
    await crafter.issue({ name: 'direct', issuer: 'last', extensions: AUTHORITY_EXTENSIONS, serial: 51 });
    await verify({ signer: 'direct', carried: ['last'] });
    await crafter.issue({ name: 'further', issuer: 'last', extensions: ISSUER_EXTENSIONS, serial: 52 });
    await crafter.issue({ name: 'too-deep', issuer: 'further', extensions: AUTHORITY_EXTENSIONS, serial: 53 });
    await expectFault('not_an_issuer', { signer: 'too-deep', carried: ['further', 'last'] });
  });

  it('unsupported_algorithm: a certificate that was signed over SHA-1', async () => {
    await crafter.issue({ name: 'old', issuer: 'between', extensions: AUTHORITY_EXTENSIONS, serial: 60, hash: 'sha1' });
    await expectFault('unsupported_algorithm', { signer: 'old' });
  });

  it('signing_certificate_mismatch: another certificate of the same name, number and key in its place', async () => {
    const order = { issuer: 'between', subject: '/O=Test/CN=twin', serial: 70 };
    await crafter.issue({ ...order, name: 'twin', extensions: 'extendedKeyUsage=codeSigning' });
    await crafter.issue({ ...order, name: 'twin-2', key: 'twin', extensions: AUTHORITY_EXTENSIONS });
    await expectFault('wrong_key_usage', { signer: 'twin' });
    await expectFault('signing_certificate_mismatch', {
      signer: 'twin',
      carried: ['twin-2', 'between'],
      cms: ['-nocerts'],
    });
  });

  it('untrusted: 17 certificates, none of which leads to a pinned one', async () => {
    const crowd = Array.from({ length: 17 }, (_, n) => `crowd-${n}`);
    for (const name of crowd) await crafter.issue({ name, issuer: 'root', key: 'root', extensions: ISSUER_EXTENSIONS });
    await expectFault('untrusted', { carried: crowd });
  });

  it('too_large: certificates that issue each other in ever new orders', async () => {
    const ring = Array.from({ length: 8 }, (_, n) => `ring-${n}`);
    for (const [serial, name] of ring.entries()) {
      const order = { name, subject: '/O=Test/CN=ring', extensions: ISSUER_EXTENSIONS, serial };
      await crafter.issue(serial === 0 ? order : { ...order, key: 'ring-0' });
    }
    await crafter.issue({ name: 'in-ring', issuer: 'ring-0', extensions: AUTHORITY_EXTENSIONS, serial: 80 });
    await expectFault('too_large', { signer: 'in-ring', carried: ring });
  });
});
