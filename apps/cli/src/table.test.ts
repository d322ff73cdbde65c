import { describe, expect, it } from '@jest/globals';
import { formatFields, formatTable } from './table.ts';

describe('a table', () => {
  it('is as wide as its widest cell, however many rows there are', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => [index, index === 150_000 ? 'widest' : null]);
    const lines = formatTable(['number', 'text'], rows).split('\n');
    expect([lines[0], lines[1], lines[150_001], lines.length]).toEqual([
      'NUMBER  TEXT',
      '0       -',
      '150000  widest',
      200_002,
    ]);
  });

  it('pads the names of fields by the longest', () => {
    const text = formatFields([
      ['id', 1],
      ['created', null],
    ]);
    expect(text).toBe('id       1\ncreated  -\n');
  });
});
