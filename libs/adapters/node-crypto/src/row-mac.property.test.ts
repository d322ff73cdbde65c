import { createHmac as createNodeHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHmac } from './hmac.ts';
import { macOf } from './row-mac.ts';

const KEY = createHmac(new Uint8Array(32).fill(9));
const part = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('1', 's1:a', 'n1:1', '00', ':'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.uint8Array({ maxLength: 4 }),
);
const row = fc.tuple(fc.string({ maxLength: 3 }), fc.array(part, { maxLength: 4 }));

const shown = ([label, parts]: [string, (string | number | Uint8Array)[]]) =>
  JSON.stringify([label, ...parts.map((p) => (p instanceof Uint8Array ? { bytes: [...p] } : p))]);

describe('macOf', () => {
  it('is the same for equal rows and another for rows that differ in anything', () => {
    fc.assert(
      fc.property(row, row, (a, b) => {
        const isEqual = Buffer.from(macOf(KEY, ...a)).equals(macOf(KEY, ...b));
        expect(isEqual).toBe(shown(a) === shown(b));
        expect(macOf(KEY, ...a)).toEqual(macOf(KEY, ...a));
      }),
      { numRuns: 2_000 },
    );
  });

  it('tells apart where parts begin and end, their types, and the label', () => {
    const rows: [string, (string | number | Uint8Array)[]][] = [
      ['t', ['a', 'bc']],
      ['t', ['ab', 'c']],
      ['t', ['abc']],
      ['ta', ['bc']],
      ['t', ['abc', '']],
      ['t', ['', 'abc']],
      ['t', [1]],
      ['t', ['1']],
      ['t', [Uint8Array.of(1)]],
      ['t', ['01']],
      ['t', [Uint8Array.of(1, 2)]],
      ['t', [Uint8Array.of(1), Uint8Array.of(2)]],
      ['t', []],
      ['', []],
      ['t', ['s1:a']],
    ];
    const macs = new Set(rows.map((r) => Buffer.from(macOf(KEY, ...r)).toString('hex')));
    expect(macs.size).toBe(rows.length);
  });

  it('refuses what has no unique form', () => {
    for (const bad of [NaN, Infinity, -Infinity, '\ud800']) expect(() => macOf(KEY, 't', [bad])).toThrow();
    expect(() => macOf(KEY, '\ud800', [])).toThrow();
  });

  it('depends on the key', () => {
    expect(macOf(createHmac(new Uint8Array(32).fill(8)), 't', ['a'])).not.toEqual(macOf(KEY, 't', ['a']));
  });
});

/** Short ones, and long ones on both sides of what fits into the memory that is kept. */
const message = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.tuple(fc.constantFrom('x', 'é', '€'), fc.integer({ min: 1360, max: 1370 })).map(([unit, n]) => unit.repeat(n)),
);

describe('createHmac', () => {
  it('is HMAC-SHA-256 as Node makes it, for every text and key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), message, (key, text) => {
        const expected = createNodeHmac('sha256', key).update(text).digest();
        const hmac = createHmac(key);
        // Twice: the second must not see anything of the first.
        expect(Buffer.from(hmac(text)).equals(expected)).toBe(true);
        expect(Buffer.from(hmac(text)).equals(expected)).toBe(true);
      }),
    );
  });

  it('refuses what has no UTF-8 form', () => {
    expect(() => createHmac(new Uint8Array(32))('\ud800')).toThrow();
  });
});
