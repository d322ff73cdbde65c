import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalize, EncodingError, type JsonValue, parseJsonText } from './index.ts';

const text = fc.string({ unit: 'grapheme' }).filter((s) => s.isWellFormed());
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
    text,
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(text, tie('json'), { maxKeys: 5 }),
  ),
}));

function shuffle(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(shuffle);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffle(member)]),
  );
}

describe('canonicalize', () => {
  it('gives one text for equal values, and its text reads back as the value', () => {
    fc.assert(
      fc.property(json, (value) => {
        const written = canonicalize(value);
        expect(canonicalize(shuffle(value))).toBe(written);
        expect(canonicalize(parseJsonText(written))).toBe(written);
      }),
    );
  });

  it('puts any number of names in the order of their UTF-16 code units', () => {
    const unit = fc.constantFrom('a', 'b', 'A', '', '\u00e9', '\u20ac', '\ufb33', '\u{1f600}');
    const names = fc.uniqueArray(
      fc.array(unit, { maxLength: 3 }).map((units) => units.join('')),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(names, (unsorted) => {
        const written = canonicalize(Object.fromEntries(unsorted.map((name) => [name, 0])));
        expect(written).toBe(
          `{${[...unsorted]
            .sort()
            .map((name) => `${JSON.stringify(name)}:0`)
            .join(',')}}`,
        );
      }),
    );
  });

  it('gives different texts for different values', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(canonicalize([a, b]) === canonicalize([b, a])).toBe(canonicalize(a) === canonicalize(b));
        expect(canonicalize([a])).not.toBe(canonicalize([a, a]));
        expect(canonicalize({ a })).not.toBe(canonicalize({ a, b }));
      }),
    );
  });

  it('takes objects without a prototype, of another realm, and with the key __proto__', () => {
    expect(canonicalize(Object.assign(Object.create(null), { a: 1 }) as JsonValue)).toBe('{"a":1}');
    expect(canonicalize(runInNewContext('({ b: [1], a: {} })') as JsonValue)).toBe('{"a":{},"b":[1]}');
    expect(canonicalize(parseJsonText('{"b":1,"__proto__":{"a":0}}'))).toBe('{"__proto__":{"a":0},"b":1}');
  });

  it('refuses what JSON.stringify would drop, replace or escape', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const refused: readonly unknown[] = [
      undefined,
      () => 0,
      Symbol('s'),
      1n,
      NaN,
      Infinity,
      '\ud800',
      'a'.repeat(200) + '\udc00',
      { '\udfff': 1 },
      { a: undefined },
      [undefined],
      new Array(1),
      new Date(0),
      new Map(),
      new Uint8Array(1),
      new (class Point {})(),
      cycle,
    ];
    for (const value of refused) expect(() => canonicalize(value as JsonValue)).toThrow(EncodingError);
  });
});
