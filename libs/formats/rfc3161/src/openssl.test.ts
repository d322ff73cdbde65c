import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openTestAuthority, type TestAuthorityOptions } from '@answer-evidence/testing';
import { formatTimestampRequest, verifyTimestamp } from './index.ts';

const authorities: readonly (readonly [string, TestAuthorityOptions])[] = [
  ['RSA with SHA-256', { keyKind: 'rsa-2048' }],
  ['RSA with SHA-512 and the old ESSCertID', { keyKind: 'rsa-2048', hash: 'sha512', certIdHash: 'sha1' }],
  ['P-256 with SHA-256', {}],
  ['P-384 with SHA-384', { keyKind: 'p-384', hash: 'sha384' }],
  ['P-521 with SHA-512 and an ESSCertIDv2 of SHA-512', { keyKind: 'p-521', hash: 'sha512', certIdHash: 'sha512' }],
];

describe('a time-stamp of a real authority (openssl ts), chain of three', () => {
  it.each(authorities)('is believed by this verifier and by openssl alike: %s', async (_, options) => {
    const authority = await openTestAuthority(options);
    try {
      const digest = new Uint8Array(randomBytes(32));
      const nonce = new Uint8Array(randomBytes(16));
      const before = Date.now() * 1000 - 2_000_000;
      const response = await authority.stamp(formatTimestampRequest({ digest, nonce }));
      const nowMicros = Date.now() * 1000;
      const expectation = { digest, nonce, rootsPem: [authority.rootPem], nowMicros };
      const verified = await verifyTimestamp(response, expectation);
      expect(verified).toMatchObject({
        accuracyMicros: 1_500_100,
        policyOid: '1.3.6.1.4.1.99999.1',
        authority: 'O=Test, CN=authority',
      });
      expect(verified.genTimeMicros).toBeGreaterThan(before);
      expect(verified.genTimeMicros).toBeLessThanOrEqual(nowMicros);
      expect(await authority.isAcceptedByOpenssl(response, digest)).toBe(true);
      expect(await authority.isAcceptedByOpenssl(response, new Uint8Array(32))).toBe(false);
    } finally {
      await authority.close();
    }
  });
});
