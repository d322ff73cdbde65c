import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createUuidV7, EncodingError, formatUuid, isUuid, parseHex } from './index.ts';

const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('createUuidV7', () => {
  it('is the example of RFC 9562 appendix A.6', () => {
    // 0x017F22E279B0, version 7, 0xCC3, variant 2, 0x18C4DC0C0C07398F.
    expect(createUuidV7(0x017f22e279b0, parseHex('0cc318c4dc0c0c07398f'))).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  it('has version 7, the variant of RFC 9562 and the time, whatever the random bytes', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), fc.nat(2 ** 17 - 1), random, (low, high, bytes) => {
        const unixMs = high * 2 ** 31 + low;
        const uuid = createUuidV7(unixMs, bytes);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(unixMs);
      }),
    );
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), fc.integer({ min: 1, max: 2 ** 31 }), random, random, (ms, later, a, b) => {
        expect(createUuidV7(ms, a) < createUuidV7(ms + later, b)).toBe(true);
      }),
    );
  });

  it('refuses a time beyond 48 bits and any other number of random bytes', () => {
    for (const ms of [-1, 0.5, 2 ** 48, NaN]) expect(() => createUuidV7(ms, new Uint8Array(10))).toThrow(EncodingError);
    expect(() => createUuidV7(0, new Uint8Array(16))).toThrow(EncodingError);
  });
});

describe('isUuid', () => {
  it('accepts what formatUuid writes', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => isUuid(formatUuid(bytes))));
    expect(() => formatUuid(new Uint8Array(15))).toThrow(EncodingError);
  });

  it.each([
    '',
    '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
    '{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}',
    '017f22e279b07cc398c4dc0c0c07398f',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398g',
  ])('refuses %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
