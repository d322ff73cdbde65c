import { describe, expect, it } from '@jest/globals';
import { decideContentType } from './content-type.ts';

const TEXT = { head: Buffer.from('plain words'), text: 'plain words', looksLikeText: true };

describe('the type of a text', () => {
  it.each([
    ['a.md', 'text/markdown'],
    ['A.CSV', 'text/csv'],
    ['a.log', 'text/plain'],
    ['a', 'text/plain'],
    // Every object has a member of this name.
    ['a.constructor', 'text/plain'],
  ])('follows the extension of %s, where that is known', async (name, expected) => {
    const nothing = { sniff: () => Promise.resolve(undefined) };
    expect(await decideContentType(nothing, TEXT, { contentType: undefined, name })).toBe(expected);
  });
});
