import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatNote, formatSignatureLine, NoteError, type NoteSignature, parseNote } from './index.ts';

const ID = Uint8Array.of(1, 2, 3, 4);
const LINE = '\u2014 a.example AQIDBAU=\n';

const line = fc.string({ unit: fc.constantFrom(...'ab \u2014+\u00e9=\u0085/') });
const signature = fc.record({
  name: fc.string({ minLength: 1, unit: fc.constantFrom(...'ab./\u00e9=\u2014-') }),
  keyId: fc.uint8Array({ minLength: 4, maxLength: 4 }),
  signature: fc.uint8Array({ minLength: 1, maxLength: 80 }),
});
const note = fc.record({
  text: fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n') + '\n'),
  signatures: fc.array(signature, { minLength: 1, maxLength: 20 }),
});

describe('a note', () => {
  it('reads back as what was written, whatever blank lines its text has', () => {
    fc.assert(fc.property(note, (n) => expect(parseNote(formatNote(n))).toEqual(n)));
  });

  it('is refused, or written back as the same text, after any one change', () => {
    fc.assert(
      fc.property(note, fc.nat(), fc.constantFrom('', '\n', ' ', '=', 'A', '\t', '\u2014'), (n, pick, put) => {
        const text = formatNote(n);
        const at = pick % text.length;
        const altered = text.slice(0, at) + put + text.slice(at + 1);
        let read: ReturnType<typeof parseNote>;
        try {
          read = parseNote(altered);
        } catch (error) {
          expect(error).toBeInstanceOf(NoteError);
          return;
        }
        expect(formatNote(read)).toBe(altered);
      }),
    );
  });

  it('has at most 100 signatures', () => {
    expect(parseNote('text\n\n' + LINE.repeat(100)).signatures.length).toBe(100);
    expect(() => parseNote('text\n\n' + LINE.repeat(101))).toThrow('too many');
    const signatures = Array.from({ length: 101 }, (): NoteSignature => ({ name: 'a', keyId: ID, signature: ID }));
    expect(() => formatNote({ text: 'text\n', signatures })).toThrow('too many');
  });

  it('has at most 1 MiB, counted in UTF-8', () => {
    const room = 2 ** 20 - Buffer.byteLength('\n\n' + LINE);
    expect(parseNote('a'.repeat(room) + '\n\n' + LINE).text.length).toBe(room + 1);
    expect(() => parseNote('a'.repeat(room + 1) + '\n\n' + LINE)).toThrow('too large');
    expect(() => parseNote('\u00e9'.repeat(room / 2 + 1) + '\n\n' + LINE)).toThrow('too large');
  });

  it.each([
    ['nothing', ''],
    ['a text alone', 'text\n'],
    ['no blank line', 'text\n' + LINE],
    ['no signature', 'text\n\n'],
    ['no end of the last line', 'text\n\n' + LINE.slice(0, -1)],
    ['a blank line after the signatures', 'text\n\n' + LINE + '\n'],
    ['trailing junk', 'text\n\n' + LINE + 'junk\n'],
    ['a hyphen for the dash', 'text\n\n- a.example AQIDBAU=\n'],
    ['two spaces', 'text\n\n\u2014  a.example AQIDBAU=\n'],
    ['a space at the end', 'text\n\n\u2014 a.example AQIDBAU= \n'],
    ['no name', 'text\n\n\u2014  AQIDBAU=\n'],
    ['no base64', 'text\n\n\u2014 a.example\n'],
    ['a plus in a name', 'text\n\n\u2014 a+b AQIDBAU=\n'],
    ['a Unicode space in a name', 'text\n\n\u2014 a\u2003b AQIDBAU=\n'],
    ['base64 without padding', 'text\n\n\u2014 a.example AQIDBAU\n'],
    ['base64 that is not canonical', 'text\n\n\u2014 a.example AQIDBAV=\n'],
    ['URL-safe base64', 'text\n\n\u2014 a.example AQIDB_-=\n'],
    ['a key id without a signature', 'text\n\n\u2014 a.example AQIDBA==\n'],
    ['a tab in the text', 'te\txt\n\n' + LINE],
    ['carriage returns', 'text\r\n\n' + LINE],
    ['U+0000', 'te\0xt\n\n' + LINE],
    ['half a surrogate pair', 'te\ud800xt\n\n' + LINE],
  ])('with %s is refused', (_, text) => {
    expect(() => parseNote(text)).toThrow(NoteError);
  });

  it('is not written when it could not be read', () => {
    const good = { name: 'a.example', keyId: ID, signature: ID };
    expect(() => formatNote({ text: 'text', signatures: [good] })).toThrow(NoteError);
    expect(() => formatNote({ text: '', signatures: [good] })).toThrow(NoteError);
    expect(() => formatNote({ text: 'a\tb\n', signatures: [good] })).toThrow(NoteError);
    expect(() => formatNote({ text: 'text\n', signatures: [] })).toThrow(NoteError);
    expect(() => formatSignatureLine('a b', ID, ID)).toThrow(NoteError);
    expect(() => formatSignatureLine('a', ID.slice(1), ID)).toThrow(NoteError);
    expect(() => formatSignatureLine('a', ID, new Uint8Array(0))).toThrow(NoteError);
  });
});
