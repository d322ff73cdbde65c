import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EncodingError } from '@answer-evidence/encoding';
import {
  createUserCode,
  DEVICE_SECRET_BYTES,
  formatDeviceCode,
  formatUserCode,
  parseDeviceCode,
  parseUserCode,
  USER_CODE_BYTES,
} from './device-codes.ts';

const secrets = fc.uint8Array({ minLength: DEVICE_SECRET_BYTES, maxLength: DEVICE_SECRET_BYTES });
const randomBytes = fc.uint8Array({ minLength: USER_CODE_BYTES, maxLength: USER_CODE_BYTES });

it('a device code is read as it was written, and no other text is one', () => {
  fc.assert(
    fc.property(secrets, fc.nat(46), fc.string({ minLength: 1, maxLength: 1 }), (secret, at, letter) => {
      const code = formatDeviceCode(secret);
      expect(parseDeviceCode(code)).toEqual(secret);
      const other = code.slice(0, at) + letter + code.slice(at + 1);
      if (other === code) return;
      try {
        expect(formatDeviceCode(parseDeviceCode(other))).toBe(other);
      } catch (error) {
        expect(error).toBeInstanceOf(EncodingError);
      }
    }),
  );
  for (const text of ['', 'aed_', 'aeu_' + 'A'.repeat(43), 'aed_' + 'A'.repeat(44)])
    expect(() => parseDeviceCode(text)).toThrow(EncodingError);
});

it('a user code is read however people type it, and nothing but eight of its letters is one', () => {
  fc.assert(
    fc.property(randomBytes, fc.constantFrom(' ', '-', '', '\t'), fc.boolean(), (bytes, between, isLower) => {
      const code = createUserCode(bytes);
      if (code === undefined) return;
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
      expect(parseUserCode(formatUserCode(code))).toBe(code);
      const typed = [...code].join(between);
      expect(parseUserCode(isLower ? typed.toLowerCase() : typed)).toBe(code);
      for (const wrong of [code.slice(1), `${code}B`, `A${code.slice(1)}`, `${code.slice(1)}1`, `${code.slice(1)}ß`])
        expect(() => parseUserCode(wrong)).toThrow(EncodingError);
    }),
  );
});

it('every letter of a user code is as likely as any other', () => {
  const counts = new Map<string, number>();
  // Each byte alone eight times: what is skipped makes no code.
  for (let byte = 0; byte < 256; byte++) {
    const letter = createUserCode(new Uint8Array(8).fill(byte))?.[0];
    if (letter !== undefined) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect(new Set(counts.values())).toEqual(new Set([12]));
  expect(counts.size).toBe(20);
});
