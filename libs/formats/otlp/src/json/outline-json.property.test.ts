import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OtlpError } from '../otlp-error.ts';
import { outlineJson } from './outline-json.ts';

const BOUNDS = { depthMax: 100, nodesMax: 100_000, membersMax: 100_000 };
const wide = fc
  .bigInt({ min: -(1n << 70n), max: 1n << 70n })
  .filter((integer) => !Number.isSafeInteger(Number(integer)));

describe('the outline of a text', () => {
  it('changes no JSON but its wide integers, which come in quotes', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.array(wide, { maxLength: 3 }), (json, integers) => {
        const text = `{"a" : ${json},"b\\"1234567890123456789" : [${integers.join(' ,')}]}`;
        const outlined = outlineJson(text, BOUNDS).text;
        expect(outlined).toBe(
          `{"a" : ${outlineJson(json, BOUNDS).text},"b\\"1234567890123456789" : [${integers.map((n) => `"${n}"`).join(' ,')}]}`,
        );
        expect(Object.keys(JSON.parse(outlined) as object)).toEqual(Object.keys(JSON.parse(text) as object));
      }),
    );
  });

  it('counts members, and sees a name with an escape in it', () => {
    const name = fc.oneof(fc.constantFrom('a', ':', 'a\\', '"', '\t', 'é'), fc.string({ maxLength: 5 }));
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.constantFrom('\\', '"', '":', 1, null)),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        const names = listNames(value);
        expect(outlineJson(JSON.stringify(value, null, 1), BOUNDS)).toMatchObject({
          colons: names.length,
          hasEscapedName: names.some((member) => JSON.stringify(member).includes('\\')),
        });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a text that is no JSON from being one', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '-',
      '+',
      '.',
      'e',
      '0',
      '12345678901234567890',
      'true',
      ' ',
      '\n',
      'a',
    );
    const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(isJson(outlineOrRefuse(text))).toBe(isJson(text));
      }),
      { numRuns: 5000 },
    );
  });
});

function outlineOrRefuse(text: string): string {
  try {
    return outlineJson(text, BOUNDS).text;
  } catch (error) {
    if (!(error instanceof OtlpError)) throw error;
    return '';
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function listNames(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(listNames)];
}
