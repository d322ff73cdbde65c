import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { locateJsonFault } from './locate-json-fault.ts';

const told = (text: string) => locateJsonFault(Buffer.from(text));

describe('of what is no JSON document is told', () => {
  it.each([
    ["{'a': 1}", 'double quotes are expected in place of single ones at line 1, column 2'],
    ['{\n  "a": 1,\n}', 'a member name in double quotes is expected at line 3, column 1'],
    ['[1,]', 'a value is expected at line 1, column 4'],
    ['[,1]', 'a value or a closing bracket is expected at line 1, column 2'],
    ['{"a": 1', 'a comma or a closing bracket is expected at line 1, column 8'],
    ['{"a": [1, 2}', 'a comma or a closing bracket is expected at line 1, column 12'],
    ['{"a" 1}', 'a colon is expected at line 1, column 6'],
    ['{"a": 1 "b": 2}', 'a comma or a closing bracket is expected at line 1, column 9'],
    ['{"a": }', 'a value is expected at line 1, column 7'],
    ['{"a": tru}', 'a value is expected at line 1, column 7'],
    ['{"a": 01}', 'a value is expected at line 1, column 7'],
    ['{a: 1}', 'a member name in double quotes is expected at line 1, column 2'],
    ['{} {}', 'nothing may follow the document at line 1, column 4'],
    ['// note\n{}', 'JSON has no comments: leave out the one at line 1, column 1'],
    ['"a\nb"', 'the string is not closed, or contains what must be escaped, at line 1, column 1'],
    ['{"a": "\\x"}', 'the string is not closed, or contains what must be escaped, at line 1, column 7'],
    ['  ', 'a value is expected at line 1, column 3'],
    ['\ufeff{}', 'it begins with a byte order mark; leave it out'],
  ])('%j: %s', (text, fault) => {
    expect(told(text)).toBe(fault);
  });

  it('that it is not UTF-8', () => {
    expect(locateJsonFault(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toBe('it is not UTF-8; encode it again');
  });

  it('where a document ends, however deep it nests', () => {
    expect(told('['.repeat(200_000))).toBe('a value or a closing bracket is expected at line 1, column 200001');
  });

  it('that a string is not closed, however many escapes it has', () => {
    const fault = 'the string is not closed, or contains what must be escaped, at line 1, column 1';
    expect(told(`"${'\\u0061'.repeat(1_400_000)}`)).toBe(fault);
    expect(told(`"${'\\u0061'.repeat(1_400_000)}\\x"`)).toBe(fault);
  });

  it('nothing but the end of a document that is one', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, wide) => {
        const text = JSON.stringify(value, null, wide ? 1 : 0);
        const last = text.split('\n');
        const place = `line ${last.length}, column ${(last.at(-1)?.length ?? 0) + 1}`;
        expect(told(text)).toBe(`nothing may follow the document at ${place}`);
        expect(told(`${text},`)).toBe(`nothing may follow the document at ${place}`);
      }),
    );
  });
});
