import { describe, expect, it } from '@jest/globals';
import { createMemoryIo } from '../testing/memory-io.ts';
import { asChecks, asFields, asTable } from './blocks.ts';
import { choosePaint } from './paint.ts';
import { renderBlocks } from './render-blocks.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z') * 1000;
const ID = '0199f3c2-7d11-7c44-9d1e-7a7f3f0e5a10';
const plain = choosePaint(createMemoryIo().io, 'never');
const screen = { paint: plain, width: undefined, now: undefined };

const check = {
  check: 'root',
  detail: 'the same root',
  compared: { expected: 'a', actual: 'a' },
  does_not_prove: 'that it is new',
} as const;
const checks = [
  { ...check, outcome: 'PASS' },
  { ...check, check: 'item', outcome: 'FAIL' },
] as never;

describe('a table', () => {
  it('is as wide as its widest cell, however many rows there are', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => [index, index === 150_000 ? 'widest' : null]);
    const lines = renderBlocks([asTable(['number', 'text'], rows)], screen).split('\n');
    expect([lines[0], lines[1], lines[150_001], lines.length]).toEqual([
      'NUMBER  TEXT',
      '0       -',
      '150000  widest',
      200_002,
    ]);
  });

  it('counts characters that take two columns as two', () => {
    const text = renderBlocks(
      [
        asTable(
          ['a', 'b'],
          [
            ['答え', 1],
            ['x', 2],
          ],
        ),
      ],
      screen,
    );
    expect(text).toBe('A     B\n答え  1\nx     2\n');
  });

  it.each([40, 60, 80])('fits a terminal of %i columns, and keeps ids whole', (width) => {
    const rows = [
      [ID, 'x'.repeat(1_000_000)],
      [ID, '短'.repeat(100)],
    ];
    const lines = renderBlocks([asTable(['id', 'text'], rows)], { ...screen, width }).split('\n');
    for (const line of lines.slice(1, 3)) {
      expect(line).toContain(ID);
      expect(line.endsWith('…')).toBe(true);
    }
    // Eight columns are the least that a column has.
    expect(lines[1]).toHaveLength(Math.max(width, ID.length + 2 + 8));
  });

  it('shows times by their age on a terminal', () => {
    const rows = ['2026-11-20T11:58:00.123456Z', '2026-11-20T12:00:30Z', '2026-11-17T12:00:00Z', 'yesterday'];
    const text = renderBlocks(
      [
        asTable(
          ['at'],
          rows.map((at) => [at]),
        ),
      ],
      { ...screen, now: NOW },
    );
    expect(text).toBe('AT\n2min ago\nin 30s\n3d ago\nyesterday\n');
    expect(renderBlocks([asFields([['at', '2026-11-17T12:00:00Z']])], { ...screen, now: NOW })).toBe(
      'at  2026-11-17T12:00:00Z (3d ago)\n',
    );
  });
});

it('pads the names of fields by the longest, and parts blocks by an empty line', () => {
  const fields = asFields([
    ['id', 1],
    ['created', null],
  ]);
  expect(renderBlocks([fields, asTable(['a'], [[1]])], screen)).toBe('id       1\ncreated  -\n\nA\n1\n');
});

describe('checks', () => {
  it('are said in the language of their reader', () => {
    const one = {
      check: 'answer_commitment',
      outcome: 'FAIL',
      detail: 'the commitment to the answer does not have the expected value',
      compared: { expected: 'a', actual: 'b' },
      does_not_prove: 'Not that the answer is true.',
    } as const;
    expect(renderBlocks([asChecks([one], false, 'de')], screen)).toBe(
      [
        'FAIL  answer_commitment',
        '      Bindung an: Antwort: hat nicht den erwarteten Wert',
        '      erwartet    a',
        '      tatsächlich b',
        '      Grenze: Nicht, dass die Antwort wahr ist oder zugestellt wurde; nur, dass die Anwendung sie einreichte.',
        '0 PASS, 1 FAIL, 0 SKIP, 0 NA',
        '',
      ].join('\n'),
    );
  });

  it('of a summary are those that are not settled, with the counts of all', () => {
    const text = renderBlocks([asChecks(checks, true)], screen);
    expect(text).not.toContain('PASS  root');
    expect(text).toContain('FAIL  item\n      the same root\n      expected a\n      actual   a\n');
    expect(text).toMatch(/\n1 PASS, 1 FAIL, 0 SKIP, 0 NA\n$/);
  });
});

describe('colours', () => {
  const outcome = (world: Parameters<typeof createMemoryIo>[0], choice: 'auto' | 'always' | 'never') =>
    renderBlocks([asChecks(checks)], { ...screen, paint: choosePaint(createMemoryIo(world).io, choice) });

  it.each([
    [{ isTerminal: true }, 'auto', true],
    [{ isTerminal: false }, 'auto', false],
    [{ isTerminal: true, env: { NO_COLOR: '1' } }, 'auto', false],
    [{ isTerminal: true, env: { NO_COLOR: '' } }, 'auto', true],
    [{ isTerminal: true, env: { TERM: 'dumb' } }, 'auto', false],
    [{ isTerminal: true }, 'never', false],
    [{ isTerminal: false, env: { NO_COLOR: '1' } }, 'always', true],
  ] as const)('%j with %s: %s', (world, choice, isColoured) => {
    const text = outcome(world, choice);
    expect(text.includes('\u001b[31mFAIL\u001b[39m')).toBe(isColoured);
    expect(text.includes('\u001b')).toBe(isColoured);
  });
});
