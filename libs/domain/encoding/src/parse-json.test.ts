import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  JSON_DEPTH_MAX,
  JSON_SMALL_LENGTH,
  JSON_VALUES_MAX,
  JsonError,
  parseJson,
  parseJsonText,
  parseSubmittedJson,
} from './index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function refusal(input: string | Uint8Array): string {
  try {
    parseJson(typeof input === 'string' ? bytes(input) : input);
  } catch (error) {
    if (error instanceof JsonError) return `${error.code} ${error.pointer}`;
    throw error;
  }
  return 'accepted';
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Whether an integer is in it that a double may have rounded, which is refused. */
function holdsRoundedInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsRoundedInteger);
}

describe('parseJson', () => {
  it('equals JSON.parse on every document that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!holdsRoundedInteger(value) && !text.includes('\\u0000') && !/\\ud[89a-f]/.test(text));
        expect(parseJson(bytes(text))).toEqual(JSON.parse(text.replaceAll(/(?<=[[:,]|^)-0(?=[\],}]|$)/g, '0')));
        expect(parseJson(bytes(JSON.stringify(value, null, 2)))).toEqual(parseJson(bytes(text)));
      }),
    );
  });

  it('refuses every document in which one key is written twice, and accepts it with the key renamed', () => {
    const key = fc.string();
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (keys, pick, place) => {
        const safe = keys.map((k) => k.replaceAll(/[\0\ud800-\udfff]/g, '') + '"\\:{');
        fc.pre(new Set(safe).size === safe.length);
        const members = safe.map((k, i) => `${JSON.stringify(k)} : {"x":[${i}, "a\\\\\\":"]}`);
        const again = safe[pick % safe.length] ?? '';
        const twice = members.toSpliced(place % (members.length + 1), 0, `${JSON.stringify(again)}:null`);
        const pointer = '/0/' + again.replaceAll('~', '~0').replaceAll('/', '~1');
        expect(refusal(`[{${twice.join()}}]`)).toBe(`duplicate_key ${pointer}`);
        expect(refusal(`[{${members.join()},"new":1}]`)).toBe('accepted');
      }),
    );
  });

  it('reads a name with an escape as itself, whatever names were read in its place before', () => {
    const part = fc.constantFrom('"', '\\', '\n', '\t', '\u0001', 'é', '😀', 'a', '', '{', '__proto__');
    const name = fc.array(part, { maxLength: 3 }).map((parts) => parts.join(''));
    const leaf = fc.oneof(name, fc.integer(), fc.constantFrom(null, true, 0.5));
    const item = fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), fc.constant({}), fc.constant({ '\\"': ['\\'] }));
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(fc.tuple(name, item), { maxLength: 3, selector: ([n]) => n })), (objects) => {
        const text = (space: string): string =>
          `[${objects
            .map(
              (members) =>
                `{${members.map(([n, v]) => JSON.stringify(n) + space + ':' + JSON.stringify(v)).join(`,${space}`)}${space}}`,
            )
            .join(space + ',')}]`;
        for (const space of ['', ' \n\t\r']) {
          const read = parseJsonText(text(space));
          if (!Array.isArray(read)) throw new Error('not a list');
          const members = read.map((object) => Object.entries(object as object));
          expect(members).toEqual(objects);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('judges a document with escaped names like any other', () => {
    parseJsonText('[{"":0,"\\\\":0},{"":0,"\\\\":0}]');
    expect(parseJsonText('{"":0,"\\t":0}')).toEqual({ '': 0, '\t': 0 });
    expect(refusal('{"\\t":0,"\\u0009":1}')).toBe('duplicate_key /\t');
    expect(refusal(`{"\\n":[1,${nested(JSON_DEPTH_MAX)}]}`)).toMatch(/^too_deep \/\n\/1\/0/);
    expect(refusal('{"\\n":1e400}')).toBe('number_out_of_range /\n');
    expect(refusal('{"\\n":"\\u0000"}')).toBe('nul_character /\n');
    expect(refusal('{"\\n":tru}')).toBe('malformed ');
  });

  it.each([
    ['{"a":1,"a":1}', '/a'],
    ['{"a":1,"\\u0061":1}', '/a'],
    ['{"a":[0,{"b":{},"b":1}],"c":2}', '/a/1/b'],
    ['{"a":{"b":1,"b":2},"a":3}', '/a/b'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"a/b~":{"":1,"":2}}', '/a~1b~0/'],
    ['[[1,2],[3,[],{}],{"x":"},:{","x":1}]', '/2/x'],
    ['{"x":{"\\u0000":{"a":1,"a":2}},"x":1}', '/x'],
  ])('names the duplicate in %s', (text, pointer) => {
    expect(refusal(text)).toBe(`duplicate_key ${pointer}`);
  });

  it.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    '[1,]',
    "{'a':1}",
    'NaN',
    '01',
    '+1',
    '.5',
    '1.',
    '"\t"',
    '"\\x41"',
    '"\0"',
    'tru',
    '1 2',
    '\ufeff{}',
    '// c\n1',
    'undefined',
  ])('refuses %j as malformed', (text) => {
    expect(refusal(text)).toBe('malformed ');
  });

  it.each([
    [[0xff]],
    [[0x22, 0xc0, 0x80, 0x22]],
    [[0x22, 0xed, 0xa0, 0x80, 0x22]],
    [[0xef, 0xbb, 0xbf, 0x31]],
    [[0x22, 0xe2, 0x82]],
  ])('refuses the bytes %j, which are not UTF-8 without a byte order mark', (input) => {
    expect(refusal(Uint8Array.from(input))).toBe('malformed ');
  });

  it(`accepts ${JSON_DEPTH_MAX} levels and refuses one more`, () => {
    expect(refusal(nested(JSON_DEPTH_MAX))).toBe('accepted');
    expect(refusal('{"a":'.repeat(JSON_DEPTH_MAX) + '1' + '}'.repeat(JSON_DEPTH_MAX))).toBe('accepted');
    expect(refusal(nested(JSON_DEPTH_MAX + 1))).toBe('too_deep ' + '/0'.repeat(JSON_DEPTH_MAX));
  });

  it('does not overflow the stack, however deep a document nests', () => {
    expect(refusal(nested(100_000))).toMatch(/^too_deep/);
    expect(refusal('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))).toMatch(/^too_deep/);
    expect(refusal(`{"a":${nested(100_000)},"a":1}`)).toMatch(/^too_deep/);
    expect(refusal('['.repeat(100_000))).toBe('malformed ');
  });

  it.each([
    ['9007199254740991', 'accepted'],
    ['-9007199254740991', 'accepted'],
    ['1e15', 'accepted'],
    ['1.5e-300', 'accepted'],
    ['1e-999', 'accepted'],
    ['9007199254740992', 'number_out_of_range '],
    ['-9007199254740992', 'number_out_of_range '],
    ['9007199254740993', 'number_out_of_range '],
    ['1e21', 'number_out_of_range '],
    ['1e999', 'number_out_of_range '],
    ['-1e999', 'number_out_of_range '],
    ['{"a":[1,{"b":1e400}]}', 'number_out_of_range /a/1/b'],
  ])('judges the number in %s', (text, outcome) => {
    expect(refusal(text)).toBe(outcome);
  });

  it.each([
    ['"\\u0000"', 'nul_character '],
    ['{"k":["a\\u0000b"]}', 'nul_character /k/0'],
    ['{"a":{"x\\u0000":1}}', 'nul_character /a'],
    ['"\\ud800"', 'lone_surrogate '],
    ['{"k":"\\udc00\\ud800"}', 'lone_surrogate /k'],
    ['{"a":[{"\\ud83d":1}]}', 'lone_surrogate /a/0'],
    ['"\\ud83d\\ude02 \\u00e9 \\\\u0000"', 'accepted'],
  ])('judges the escapes in %s', (text, outcome) => {
    expect(refusal(text)).toBe(outcome);
  });

  it('refuses a lone surrogate that is raw in a text', () => {
    expect(() => parseJsonText('"\ud800"')).toThrow(JsonError);
    expect(() => parseJsonText('\ud800')).toThrow(JsonError);
  });

  it('keeps a __proto__ key as an own property and no prototype of anything', () => {
    const value = parseJsonText('{"__proto__":{"polluted":true},"n":{"__proto__":-0}}');
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'n']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"n":{"__proto__":0}}');
  });

  it('reads -0 as 0 wherever it is', () => {
    expect(parseJsonText('-0')).toBe(0);
    expect(parseJsonText('[-0,{"a":-0.0,"b":-1e-999}]')).toEqual([0, { a: 0, b: 0 }]);
  });

  it('keeps what was submitted out of its messages', () => {
    for (const text of ['{"secret', '{"secret":1,"secret":2}', '{"secret":1e999}', '["secret\\u0000"]']) {
      try {
        parseJsonText(text);
        throw new Error('accepted');
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError);
        if (error instanceof JsonError) expect(error.message + String(error.cause)).not.toContain('secret');
      }
    }
  });
});

describe('parseSubmittedJson', () => {
  /** A document that is longer than a small one: a list of so many items, with spaces behind it. */
  const listOf = (item: string, items: number, length = JSON_SMALL_LENGTH + 1): Uint8Array =>
    bytes(`[${Array.from({ length: items }, () => item).join()}]`.padEnd(length, ' '));

  function outcome(document: Uint8Array): unknown {
    try {
      return parseSubmittedJson(document);
    } catch (error) {
      if (error instanceof JsonError) return `${error.code} ${error.pointer}`;
      throw error;
    }
  }

  it.each([
    ['0', JSON_VALUES_MAX],
    ['[]', JSON_VALUES_MAX / 2],
    ['{}', JSON_VALUES_MAX / 2],
    ['{"a":0,"b":0}', Math.floor(JSON_VALUES_MAX / 3)],
    ['"\\",[{"', JSON_VALUES_MAX],
  ])('takes a list of %s up to the limit, and refuses it one value beyond', (item, items) => {
    expect(outcome(listOf(item, items))).toHaveLength(items);
    expect(outcome(listOf(item, items + 1))).toBe('too_many_values ');
  });

  it('counts nothing in a small document', () => {
    expect(outcome(listOf('0', JSON_VALUES_MAX + 1, JSON_SMALL_LENGTH))).toHaveLength(JSON_VALUES_MAX + 1);
  });

  it('counts nothing in texts, also in one that does not end', () => {
    const text = '[,{'.repeat(JSON_SMALL_LENGTH);
    expect(outcome(bytes(JSON.stringify([text])))).toEqual([text]);
    expect(outcome(bytes(`["${text}`))).toBe('malformed ');
    expect(outcome(bytes(`["${text}\\"`))).toBe('malformed ');
  });

  it('is parseJson otherwise', () => {
    expect(outcome(bytes('{"a":1,"a":2}'))).toBe('duplicate_key /a');
    expect(outcome(Uint8Array.of(0xff))).toBe('malformed ');
    expect(outcome(bytes('{"a":[1]}'))).toEqual({ a: [1] });
  });
});
