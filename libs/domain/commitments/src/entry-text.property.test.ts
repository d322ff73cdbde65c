import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ENTRY_TYPES } from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp, parseHex, parseTimestamp } from '@answer-evidence/encoding';
import { type EntryFields, formatEntry, parseEntry } from './entry-text.ts';

const entries: fc.Arbitrary<EntryFields> = fc.record({
  type: fc.constantFrom(...ENTRY_TYPES),
  id: fc.uuid(),
  subject: fc.uuid(),
  seq: fc.oneof(fc.nat(3), fc.nat(Number.MAX_SAFE_INTEGER)),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  at: fc.integer({ min: 0, max: 8_000_000_000_000_000 }),
});

function objectOf(entry: EntryFields) {
  const { type, id, subject, seq } = entry;
  return { v: 1, type, id, subject, seq, hash: `sha256:${formatHex(entry.hash)}`, at: formatTimestamp(entry.at) };
}

describe('the text of an entry', () => {
  it('is the canonical form of its seven members', () => {
    fc.assert(
      fc.property(entries, (entry) => {
        expect(formatEntry(entry)).toBe(canonicalize(objectOf(entry)));
      }),
    );
  });

  it('reads back as what was written', () => {
    fc.assert(
      fc.property(entries, (entry) => {
        const read = parseEntry(formatEntry(entry));
        expect(read).toEqual(objectOf(entry));
        const hash = parseHex(read.hash.slice('sha256:'.length));
        const { type, id, subject, seq } = read;
        expect(formatEntry({ type, id, subject, seq, hash, at: parseTimestamp(read.at) })).toBe(formatEntry(entry));
      }),
    );
  });

  it('is the only text of its entry: any other byte makes another entry or none', () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.constantFrom(' ', '0', 'a', '"', '\n', 'é', ''), (entry, where, byte) => {
        const text = formatEntry(entry);
        const at = where % (text.length + 1);
        for (const altered of [
          text.slice(0, at) + byte + text.slice(at + 1),
          text.slice(0, at) + byte + text.slice(at),
        ]) {
          if (altered === text) continue;
          let read: unknown;
          try {
            read = parseEntry(altered);
          } catch {
            continue;
          }
          expect(read).not.toEqual(objectOf(entry));
        }
      }),
    );
  });

  it.each([
    ['members in another order', '{"v":1,"type":"genesis"}'],
    ['nothing', ''],
    ['an array', '[]'],
    ['an unknown version', formatEntry(sample()).replace('"v":1', '"v":2')],
    ['an unknown type', formatEntry(sample()).replace('"genesis"', '"something"')],
    ['a member too many', formatEntry(sample()).replace('"v":1', '"v":1,"w":1')],
    ['white space', `${formatEntry(sample())}\n`],
    ['a number of another form', formatEntry(sample()).replace('"seq":0', '"seq":0.0')],
    ['an upper-case hash', formatEntry({ ...sample(), hash: new Uint8Array(32).fill(0xab) }).replace('abab', 'ABAB')],
    ['a time in milliseconds', formatEntry(sample()).replace('.000000Z', '.000Z')],
  ])('is not %s', (_, text) => {
    expect(() => parseEntry(text)).toThrow();
  });
});

function sample(): EntryFields {
  const id = '0199f3c2-0000-7000-8000-000000000001';
  return { type: 'genesis', id, subject: id, seq: 0, hash: new Uint8Array(32), at: 0 };
}
