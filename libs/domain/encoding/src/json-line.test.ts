import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatJsonLine } from './index.ts';

describe('a line of JSON Lines', () => {
  it('is one line to every reader, and the same value', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\u0085', '\u2028', '\u2029', '\n', '\r', '"', '\\') });
    fc.assert(
      fc.property(text, (value) => {
        const line = formatJsonLine({ value });
        expect(line.slice(0, -1)).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
        expect(JSON.parse(line)).toEqual({ value });
      }),
    );
  });
});
