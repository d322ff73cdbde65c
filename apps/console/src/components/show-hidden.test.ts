import { describe, expect, it } from '@jest/globals';
import { showHidden } from './show-hidden.ts';

describe('showHidden', () => {
  it.each([
    ['\u202Egnp.exe', '⟨U+202E⟩gnp.exe'],
    ['a\u200bb', 'a⟨U+200B⟩b'],
    ['\u0000', '⟨U+0000⟩'],
    ['\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ])('writes %j so that it can be seen', (text, seen) => {
    expect(showHidden(text)).toBe(seen);
  });

  it('leaves visible text, tabs and line ends as they are', () => {
    const text = 'Grüße, 世界 👍🏽\n\t<b>שלום</b> =1+1';
    expect(showHidden(text)).toBe(text);
  });
});
