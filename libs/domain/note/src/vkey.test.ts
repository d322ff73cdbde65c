import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createVkey, ED25519, formatVkey, NoteError, parseVkey } from './index.ts';

const VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const name = fc.string({ minLength: 1, unit: fc.constantFrom(...'abc./-\u00e9\u2014') });
const publicKey = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('a verifier key', () => {
  it('reads back as what was written, and the same bytes under another name or type have another text', () => {
    fc.assert(
      fc.property(name, fc.constantFrom(ED25519, 0x04), publicKey, (n, type, key) => {
        const vkey = createVkey(n, type, key);
        expect(parseVkey(formatVkey(vkey))).toEqual(vkey);
        expect(createVkey(n + 'x', type, key).id).not.toEqual(vkey.id);
        expect(createVkey(n, 0x05 - type, key).id).not.toEqual(vkey.id);
      }),
    );
  });

  it('computes the published id', () => {
    const vkey = parseVkey(VKEY);
    expect(createVkey('example.com/foo', ED25519, vkey.publicKey)).toEqual(vkey);
  });

  it('of ECDSA has the id of its public key alone', () => {
    const spki = Uint8Array.of(0x30, 1, 2, 3);
    expect(createVkey('a', 0x02, spki).id).toEqual(createVkey('b', 0x02, spki).id);
    expect(parseVkey(formatVkey(createVkey('a', 0x02, spki))).publicKey).toEqual(spki);
  });

  it.each([
    ['nothing', ''],
    ['one part', 'example.com/foo'],
    ['two parts', 'example.com/foo+530d903a'],
    ['the id of another key', VKEY.replace('530d903a', '530d903b')],
    ['an id in upper case', VKEY.replace('530d903a', '530D903A')],
    ['another name', VKEY.replace('foo', 'bar')],
    ['no name', VKEY.slice(VKEY.indexOf('+'))],
    ['a space in the name', VKEY.replace('foo', 'f oo')],
    ['bad base64', VKEY.slice(0, -1)],
    ['an empty key', 'example.com/foo+530d903a+'],
    ['a key of 31 bytes', VKEY.slice(0, -4)],
    ['a trailing line feed', VKEY + '\n'],
  ])('with %s is refused', (_, text) => {
    expect(() => parseVkey(text)).toThrow(NoteError);
  });

  it('is not made of an impossible name, type or key', () => {
    const key = new Uint8Array(32);
    for (const bad of ['', 'a+b', 'a b', 'a\nb', 'a\u0001', '\u00a0', '\ud800']) {
      expect(() => createVkey(bad, ED25519, key)).toThrow(NoteError);
    }
    for (const type of [-1, 256, 1.5]) expect(() => createVkey('a', type, key)).toThrow(NoteError);
    for (const size of [0, 31, 33, 64]) expect(() => createVkey('a', ED25519, new Uint8Array(size))).toThrow(NoteError);
  });
});
