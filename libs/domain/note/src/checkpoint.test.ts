import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatCheckpoint, NoteError, parseCheckpoint, parseExtendedCheckpoint } from './index.ts';

const EMPTY_ROOT = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const checkpoint = fc.record({
  origin: fc.string({ minLength: 1, unit: fc.constantFrom(...'ab./-\u00e9 +') }),
  size: fc.maxSafeNat(),
  root: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

describe('a checkpoint', () => {
  it('reads back as what was written', () => {
    fc.assert(fc.property(checkpoint, (c) => expect(parseCheckpoint(formatCheckpoint(c))).toEqual(c)));
  });

  it('is refused, or another checkpoint, after any one change', () => {
    fc.assert(
      fc.property(checkpoint, fc.nat(), fc.constantFrom('', '\n', '0', 'A', '='), (c, pick, put) => {
        const text = formatCheckpoint(c);
        const altered = text.slice(0, pick % text.length) + put + text.slice((pick % text.length) + 1);
        fc.pre(altered !== text);
        let read: ReturnType<typeof parseCheckpoint>;
        try {
          read = parseCheckpoint(altered);
        } catch (error) {
          expect(error).toBeInstanceOf(NoteError);
          return;
        }
        expect(formatCheckpoint(read)).toBe(altered);
        expect(read).not.toEqual(c);
      }),
    );
  });

  it.each([
    ['two lines', `a.example\n${EMPTY_ROOT}\n`],
    ['no end of the last line', `a.example\n0\n${EMPTY_ROOT}`],
    ['an extension line', `a.example\n0\n${EMPTY_ROOT}\nmore\n`],
    ['a blank line', `a.example\n0\n${EMPTY_ROOT}\n\n`],
    ['no origin', `\n0\n${EMPTY_ROOT}\n`],
    ['a control character', `a\t.example\n0\n${EMPTY_ROOT}\n`],
    ['a leading zero', `a.example\n01\n${EMPTY_ROOT}\n`],
    ['a sign', `a.example\n+1\n${EMPTY_ROOT}\n`],
    ['a negative size', `a.example\n-1\n${EMPTY_ROOT}\n`],
    ['an exponent', `a.example\n1e3\n${EMPTY_ROOT}\n`],
    ['a size beyond 2^53 - 1', `a.example\n9007199254740992\n${EMPTY_ROOT}\n`],
    ['an empty size', `a.example\n\n${EMPTY_ROOT}\n`],
    ['bad base64', `a.example\n1\n${EMPTY_ROOT.slice(0, -1)}\n`],
    ['a root of 64 bytes', `a.example\n1\n${Buffer.alloc(64).toString('base64')}\n`],
    ['carriage returns', `a.example\r\n1\r\n${EMPTY_ROOT}\r\n`],
  ])('with %s is refused', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(NoteError);
  });

  it('is not written when it could not be read', () => {
    const good = { origin: 'a.example', size: 1, root: new Uint8Array(32) };
    for (const bad of [
      { ...good, origin: '' },
      { ...good, origin: 'a\nb' },
      { ...good, size: -1 },
      { ...good, size: 0.5 },
      { ...good, size: 2 ** 53 },
      { ...good, root: new Uint8Array(64) },
    ]) {
      expect(() => formatCheckpoint(bad)).toThrow(NoteError);
    }
  });
});

describe('parseExtendedCheckpoint', () => {
  it('reads a checkpoint with or without further lines, none of them empty', () => {
    fc.assert(
      fc.property(checkpoint, fc.array(fc.string({ minLength: 1, unit: fc.constantFrom(...'ab =') })), (c, more) => {
        const text = formatCheckpoint(c) + more.map((line) => `${line}\n`).join('');
        expect(parseExtendedCheckpoint(text)).toEqual(c);
        expect(() => parseExtendedCheckpoint(text.slice(0, -1))).toThrow(NoteError);
        expect(() => parseExtendedCheckpoint(`${text}\n`)).toThrow(NoteError);
        expect(() => parseExtendedCheckpoint(`${text}\nx\n`)).toThrow(NoteError);
      }),
    );
  });
});
