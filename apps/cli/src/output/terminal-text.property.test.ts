import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMemoryIo } from '../testing/memory-io.ts';
import { asFields, asTable, type Block } from './blocks.ts';
import { choosePaint } from './paint.ts';
import { renderBlocks } from './render-blocks.ts';
import { formatJsonText, formatTerminalLines, formatTerminalText } from './terminal-text.ts';

const ACTING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const hostile = fc.string({
  unit: fc.oneof(fc.constantFrom('\u001b', '\u009b', '\r', '\n', '\u202e', '\u2028', '\u0007', '"', '\\'), fc.string()),
});

const show = (blocks: readonly Block[]) =>
  renderBlocks(blocks, { paint: choosePaint(createMemoryIo().io, 'never'), width: 40, now: undefined });

describe('terminal text', () => {
  it('never holds a character that acts on a terminal', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(formatTerminalText(text)).not.toMatch(ACTING);
        expect(formatTerminalLines(text).replaceAll('\n', '')).not.toMatch(ACTING);
        expect(show([asFields([['name', text]])]).slice(0, -1)).not.toMatch(ACTING);
        expect(show([asTable(['a', 'b'], [[text, text]])]).split('\n')).toHaveLength(3);
      }),
    );
  });

  it('leaves a harmless text as it is', () => {
    expect(formatTerminalText('Grüße, 世界 👋 "q" \\')).toBe('Grüße, 世界 👋 "q" \\');
    expect(formatTerminalText('\u001b[31mred\u001b[0m\nnext')).toBe('[31mred[0m next');
  });

  it('keeps every value of JSON, and shows nothing that acts', () => {
    fc.assert(
      fc.property(hostile, fc.jsonValue(), (text, value) => {
        const shown = formatJsonText({ text, value });
        expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify({ text, value })));
        expect(shown.replaceAll('\n', '')).not.toMatch(ACTING);
      }),
    );
  });
});
