import { describe, expect, it } from '@jest/globals';
import { formatHex, parseHex } from '@answer-evidence/encoding';
import { type OutsideKeys, VaultError } from '@answer-evidence/ports';
import { formatOutsideKey, NO_OUTSIDE_KEYS, openStoredKey } from './outside-key.ts';

const KEY = { reference: 'pkcs11:9b9e5cf4', publicKey: Uint8Array.from({ length: 32 }, (_, n) => n) };
/** What is in databases: it never changes. */
const STORED =
  '616e737765722d65766964656e63652f6f7574736964652d6b65792f76310a' +
  '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f' +
  '706b637331313a3962396535636634';

const ECHO: OutsideKeys = {
  ...NO_OUTSIDE_KEYS,
  signerOf: ({ reference, publicKey }) => ({ publicKey, sign: () => new TextEncoder().encode(reference) }),
};

describe('the stored form of a key outside of the process', () => {
  it('is these bytes, and is read from them', async () => {
    expect(formatHex(formatOutsideKey(KEY))).toBe(STORED);
    const opened = openStoredKey(parseHex(STORED), ECHO);
    expect(opened.publicKey).toEqual(KEY.publicKey);
    expect(new TextDecoder().decode(await opened.sign('m'))).toBe(KEY.reference);
  });

  it('is nothing shorter, of no other version, and no text that is not UTF-8', () => {
    const stored = parseHex(STORED);
    const changed = (change: (bytes: Uint8Array) => void) => {
      const bytes = stored.slice();
      change(bytes);
      return bytes;
    };
    for (const bad of [
      new Uint8Array(0),
      stored.slice(0, 31),
      stored.slice(0, 63),
      changed((bytes) => (bytes[29] = 0x32)),
      changed((bytes) => (bytes[70] = 0xff)),
    ])
      expect(() => openStoredKey(bad, ECHO)).toThrow(VaultError);
  });

  it('is a seed where it has the length of one, of which nothing is left', () => {
    const seed = new Uint8Array(32).fill(3);
    expect(openStoredKey(seed, ECHO).publicKey).toHaveLength(32);
    expect(seed).toEqual(new Uint8Array(32));
  });
});
