import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatCsvLine } from './csv.ts';

/**
 * What a spreadsheet runs. Sources: [1] OWASP, CSV Injection (signs, tab, CR, LF, full-width signs); [2] OWASP Web
 * Security Testing Guide, Testing for CSV Injection (separators and quotes that begin a new cell); [3] Microsoft
 * Support, Import or export text (.txt or .csv) files (Excel splits at the list separator of the region, `;` in most
 * of Europe); [4] LibreOffice Help, Text Import (tab, comma, semicolon, and any other separator; cells may be
 * trimmed); [5] Google Docs Editors Help, Import data sets (the separator is detected); [6] Unicode, NFKC (forms that
 * a program which normalises takes for the sign).
 */
const RUN = [
  ['=1+1', "'=1+1", '1'],
  ['+1', "'+1", '1'],
  ['-1', "'-1", '1'],
  ['@SUM(A1)', "'@SUM(A1)", '1'],
  ['\t=1', "'\t'=1", '1'],
  ['\r=1', "'\r'=1", '1'],
  ['\n=1', "'\n'=1", '1'],
  ['\tx', "'\tx", '1'],
  ['＝1+1', "'＝1+1", '1'],
  ['＋1', "'＋1", '1'],
  ['－1', "'－1", '1'],
  ['＠SUM(A1)', "'＠SUM(A1)", '1'],
  ['ー1', "'ー1", '1'],
  ['﹦1', "'﹦1", '6'],
  ['⁼1', "'⁼1", '6'],
  ['−1', "'−1", '6'],
  [' =1', "' =1", '4'],
  ['\u00a0=1', "'\u00a0=1", '4'],
  ['\ufeff=1', "'\ufeff=1", '3'],
  ['\u200b=1', "'\u200b=1", '4'],
  ['"=1', '\'"=1', '2'],
  [';=1+1', "';'=1+1", '3'],
  ['a;=1', "a;'=1", '3'],
  ['a; =1', "a; '=1", '3, 4'],
  ['a;"=1', 'a;"\'=1', '2'],
  ['a|=1', "a|'=1", '4, 5'],
  ['a\t=1', "a\t'=1", '4'],
  ['a\n=1', "a\n'=1", '3'],
  ['a\r\n-1', "a\r\n'-1", '3'],
  ['a\u2028@b', "a\u2028'@b", '3'],
  ['a;b;+c', "a;b;'+c", '3'],
] as const;

const cellOf = (line: string): string => {
  const text = line.slice(0, -2);
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
};

describe('a line of CSV', () => {
  it.each(RUN)('defuses %j as %j (source %s)', (text, defused, _source) => {
    expect(cellOf(formatCsvLine([text]))).toBe(defused);
  });

  it.each(['', 'a', 'a=1', "'=1", 'x - y', 'a, -1', 'a-b;c', '1;2', 'mail@example.com', '"quoted"', 'a ;b'])(
    'leaves %j as it is',
    (text) => {
      expect(cellOf(formatCsvLine([text]))).toBe(text);
    },
  );

  it('keeps the value of JSON, and exact texts', () => {
    const value = { note: 'a;=1', list: [1, -2, '=3', 'b|@c'] };
    const cell = cellOf(formatCsvLine([{ json: JSON.stringify(value) }]));
    expect(cell).not.toMatch(/[;|][=@]/);
    expect(JSON.parse(cell)).toEqual(value);
    expect(formatCsvLine([{ exact: 'x\n+y' }])).toBe('"x\n+y"\r\n');
  });

  it('has no part that is a formula wherever a spreadsheet splits it', () => {
    const piece = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      ';',
      '|',
      '\t',
      '\n',
      '\r',
      '"',
      ',',
      ' ',
      '\u00a0',
      "'",
      'a',
    );
    const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (cells) => {
        for (const part of formatCsvLine(cells).split(/[;|\t\r\n]/)) expect(part).not.toMatch(/^[\s"]*[=+\-@＝]/);
      }),
    );
  });

  it('takes time in proportion to the text, whatever it is', () => {
    const gap = '\n; "'.repeat(200_000);
    // Two quotes around it, each of its own doubled, and an apostrophe before the line feed at its beginning.
    expect(formatCsvLine([`${gap}x`]).length).toBe(gap.length * 1.25 + 6);
  });

  it('cuts only cells that are longer than asked for, before their quotes are counted, and says so', () => {
    const cells = [
      'x'.repeat(200),
      `"${'y'.repeat(250)}`,
      { json: JSON.stringify(['z'.repeat(300)]) },
      { exact: 'w'.repeat(201) },
    ];
    const line = formatCsvLine(cells, 200);
    const [kept, ...others] = line.trimEnd().split(',');
    expect(kept).toBe('x'.repeat(200));
    for (const cell of others) expect(cell).toMatch(/ \[cut: \d+ characters\]"?$/);
    expect(others.map((cell) => cell.replace(/^"|"$/g, '').replaceAll('""', '"').length)).toEqual([200, 200, 200]);
    expect(formatCsvLine(cells)).not.toContain('cut');
  });

  it('cuts no character in two, and makes no formula by cutting', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 120, maxLength: 300 }), (text) => {
        const cell = formatCsvLine([text.toWellFormed()], 100).trimEnd().replace(/^"|"$/g, '').replaceAll('""', '"');
        expect(cell.length).toBeLessThanOrEqual(100);
        expect(cell.isWellFormed()).toBe(true);
        expect(cell).not.toMatch(/^[\s"]*[=+\-@]/);
      }),
    );
  });
});
