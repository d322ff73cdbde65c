import { describe, expect, it } from '@jest/globals';
import { formatHex } from '@answer-evidence/encoding';
import { formatTimestampRequest } from './index.ts';
import { nonceInteger } from './request.ts';

const digest = Uint8Array.from({ length: 32 }, (_, n) => n);

describe('formatTimestampRequest', () => {
  it('writes the DER of RFC 3161 section 2.4.1, and asks for the certificate', () => {
    const request = formatTimestampRequest({ digest, nonce: Uint8Array.of(1, 2) });
    expect(formatHex(request)).toBe(
      `303d0201013031300d060960864801650304020105000420${formatHex(digest)}020201020101ff`,
    );
  });

  it('sends a nonce as a positive integer in its shortest form', () => {
    expect(nonceInteger(Uint8Array.of(0x80))).toEqual(Uint8Array.of(0, 0x80));
    expect(nonceInteger(Uint8Array.of(0, 0, 0x7f))).toEqual(Uint8Array.of(0x7f));
    expect(nonceInteger(Uint8Array.of(0, 0))).toEqual(Uint8Array.of(0));
    const request = formatTimestampRequest({ digest, nonce: Uint8Array.of(0xff, 0xee) });
    expect(formatHex(request)).toContain('020300ffee0101ff');
  });

  it('refuses a digest that is not of SHA-256, and no nonce', () => {
    expect(() => formatTimestampRequest({ digest: digest.subarray(1), nonce: Uint8Array.of(1) })).toThrow('SHA-256');
    expect(() => formatTimestampRequest({ digest, nonce: new Uint8Array(0) })).toThrow('nonce');
    expect(() => formatTimestampRequest({ digest, nonce: new Uint8Array(33) })).toThrow('nonce');
  });
});
