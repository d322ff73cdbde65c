import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  concatBytes,
  EncodingError,
  equalBytes,
  formatBase64,
  formatBase64Url,
  formatHex,
  parseBase64,
  parseBase64Url,
  parseHex,
  utf8,
} from './index.ts';

const data = fc.uint8Array({ maxLength: 100 });
const forms = [
  ['hex', formatHex, parseHex, 'hex'],
  ['base64', formatBase64, parseBase64, 'base64'],
  ['base64url', formatBase64Url, parseBase64Url, 'base64url'],
] as const;

describe.each(forms)('%s', (_, format, parse, nodeEncoding) => {
  it('is the standard form, and reads back as the bytes', () => {
    fc.assert(
      fc.property(data, (bytes) => {
        expect(format(bytes)).toBe(Buffer.from(bytes).toString(nodeEncoding));
        expect(equalBytes(parse(format(bytes)), bytes)).toBe(true);
      }),
    );
  });

  it('accepts no text but those it writes', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ABab09+/-_=\n .gZ\u00e9\u0141'), maxLength: 9 });
    fc.assert(
      fc.property(letters, (text) => {
        let bytes: Uint8Array;
        try {
          bytes = parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(EncodingError);
          const lenient = Buffer.from(text, nodeEncoding);
          expect(format(new Uint8Array(lenient))).not.toBe(text);
          return;
        }
        expect(format(bytes)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('RFC 4648 section 10', () => {
  it.each([
    ['', '', ''],
    ['f', 'Zg==', '66'],
    ['fo', 'Zm8=', '666f'],
    ['foo', 'Zm9v', '666f6f'],
    ['foob', 'Zm9vYg==', '666f6f62'],
    ['fooba', 'Zm9vYmE=', '666f6f6261'],
    ['foobar', 'Zm9vYmFy', '666f6f626172'],
  ])('%j is %s and %s', (text, base64, hex) => {
    expect(formatBase64(utf8(text))).toBe(base64);
    expect(formatBase64Url(utf8(text))).toBe(base64.replaceAll('=', ''));
    expect(formatHex(utf8(text))).toBe(hex);
  });

  it.each(['Zg', 'Zg=', 'Zh==', 'Zm9=', 'Z===', '====', '=', 'Zm9v\n', ' Zg=', 'Zg==Zg==', 'Zm-_'])(
    'the base64 %j is refused',
    (text) => {
      expect(() => parseBase64(text)).toThrow(EncodingError);
    },
  );

  it.each(['Zg==', 'Zh', 'Z', 'Zm+/', 'Zm9v\n'])('the base64url %j is refused', (text) => {
    expect(() => parseBase64Url(text)).toThrow(EncodingError);
  });
});

describe('parseHex', () => {
  it('refuses upper case, odd lengths and other sizes than the asked one', () => {
    for (const text of ['AB', 'abc', '0x00', 'zz', '\u0660\u0660']) expect(() => parseHex(text)).toThrow(EncodingError);
    expect(() => parseHex('abcd', 1)).toThrow(EncodingError);
    expect(parseHex('abcd', 2)).toEqual(Uint8Array.of(0xab, 0xcd));
  });
});

describe('bytes', () => {
  it('are joined in order, in memory of their own', () => {
    const part = Uint8Array.of(1, 2);
    const joined = concatBytes(part, new Uint8Array(0), Uint8Array.of(3));
    part[0] = 9;
    expect(joined).toEqual(Uint8Array.of(1, 2, 3));
    expect(concatBytes()).toEqual(new Uint8Array(0));
  });

  it('are equal when length and content are, and not otherwise', () => {
    fc.assert(
      fc.property(data, fc.nat(), (bytes, pick) => {
        expect(equalBytes(bytes, bytes.slice())).toBe(true);
        expect(equalBytes(bytes, concatBytes(bytes, Uint8Array.of(0)))).toBe(false);
        const at = pick % Math.max(bytes.length, 1);
        const other = bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
        if (bytes.length > 0) expect(equalBytes(bytes, other)).toBe(false);
      }),
    );
  });

  it('of a text are UTF-8, and a text with half a surrogate pair has none', () => {
    expect(utf8('\u00e9\ud83d\ude02')).toEqual(new Uint8Array(Buffer.from('\u00e9\ud83d\ude02')));
    expect(() => utf8('a\ud800')).toThrow(EncodingError);
  });
});
