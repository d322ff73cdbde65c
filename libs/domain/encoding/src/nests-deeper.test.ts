import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nestsDeeper } from './nests-deeper.ts';
import { parseJsonText } from './parse-json.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('nestsDeeper', () => {
  it('tells how deep a document nests, whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, max) => {
        expect(nestsDeeper(JSON.stringify(value), max)).toBe(depthOf(value) > max);
      }),
    );
  });

  it('refuses megabytes of brackets before they are read', () => {
    for (const open of ['[', '{"a":'])
      expect(() => parseJsonText(open.repeat(1_100_000))).toThrow(expect.objectContaining({ code: 'too_deep' }));
    expect(parseJsonText(`["${'['.repeat(1_100_000)}"]`)).toHaveLength(1);
  });
});
