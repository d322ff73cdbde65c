import { describe, expect, it } from '@jest/globals';
import { nameControls, splitControls } from './split-controls.ts';

describe('a text', () => {
  it('stays one piece where nothing in it acts', () => {
    expect(splitControls('אבג <b>bold</b>\n\tnext')).toEqual([{ value: 'אבג <b>bold</b>\n\tnext' }]);
    expect(splitControls('')).toEqual([]);
  });

  it.each([
    ['\u202e', 'U+202E'],
    ['\u2066', 'U+2066'],
    ['\u200b', 'U+200B'],
    ['\u0000', 'U+0000'],
    ['\r', 'U+000D'],
    ['\u{e0041}', 'U+E0041'],
  ])('names what turns or hides its parts', (character, code) => {
    const parts = splitControls(`before${character}after`);
    expect(parts).toEqual([{ value: 'before' }, { value: character, code }, { value: 'after' }]);
    expect(parts.map(({ value }) => value).join('')).toBe(`before${character}after`);
    expect(nameControls(`before${character}after`)).toBe(`before${code}after`);
  });
});
