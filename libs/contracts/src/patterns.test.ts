import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { evidenceName } from './evidence.ts';
import { decimal } from './pages.ts';
import { externalId, key } from './primitives.ts';

/** What the patterns say, in the words of Unicode, which only some engines know. */
const CONTROL_FREE = /^\P{Cc}*$/u;
const SAFE_NAME = /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]+$/u;

const CASES = [
  ['a key', key, CONTROL_FREE],
  ['an external id', externalId, CONTROL_FREE],
  ['a name of evidence', evidenceName, SAFE_NAME],
] as const;

describe('published patterns', () => {
  it.each(CASES)('of %s take every code point that they are meant to take, and no other', (_, schema, meant) => {
    const { pattern } = z.toJSONSchema(schema);
    const published = new RegExp(pattern ?? '');
    const differing: string[] = [];
    for (let point = 0; point <= 0x10_ffff; point++) {
      const text = `a${String.fromCodePoint(point)}b`;
      if (published.test(text) !== meant.test(text)) differing.push(point.toString(16));
    }
    expect(differing).toEqual([]);
  });

  it('say of a number in a query that it is one, within the limits that are checked', () => {
    const size = decimal(1, 200);
    expect(z.toJSONSchema(size, { io: 'input', unrepresentable: 'any' })).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 200,
    });
    expect(['1', '200'].map((text) => size.parse(text))).toEqual([1, 200]);
    for (const text of ['0', '201', '01', '1.0', '1e2', '+1', ' 1', '', 'one', '9999999999'])
      expect(size.safeParse(text).success).toBe(false);
  });
});
