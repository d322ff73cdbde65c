import { describe, expect, it } from '@jest/globals';
import { REFERENCES_MAX } from '@answer-evidence/contracts';
import { guessMapping, ListError, mapRows, readList } from './read-list.ts';

const AT = '2026-11-20T09:00:00Z';

describe('a list of answers', () => {
  it('is read from CSV with quotes, a mark of the byte order and columns of other names', () => {
    const list = readList('served.csv', `\uFEFFmessage,served_at,note\r\n"msg-1, ""a""",${AT},=1+1\r\n\r\n`);
    expect(list.columns).toEqual(['message', 'served_at', 'note']);
    const mapping = guessMapping(list.columns);
    expect(mapping).toEqual({ reference_id: 'message', occurred_at: 'served_at' });
    expect(mapRows(list, mapping)).toEqual({
      references: [{ reference_id: 'msg-1, "a"', occurred_at: AT }],
      faults: [],
    });
  });

  it.each([';', '\t'])('is read from a table that a spreadsheet separated by %j', (delimiter) => {
    const rows = [
      ['"message, of whom"', 'served_at', 'note'],
      ['=HYPERLINK("x")', AT, '1,5'].map((cell) => `"${cell.replaceAll('"', '""')}"`),
    ];
    const list = readList('served.csv', `\uFEFF${rows.map((row) => row.join(delimiter)).join('\r\n')}\r\n`);
    expect(list).toEqual({
      columns: ['message, of whom', 'served_at', 'note'],
      rows: [new Map(Object.entries({ 'message, of whom': '=HYPERLINK("x")', served_at: AT, note: '1,5' }))],
    });
  });

  it('is refused with its reason when it is empty, too long for a run, or has two columns of one name', () => {
    const codeOf = (text: string) => {
      try {
        return readList('served.csv', text).rows.length;
      } catch (error) {
        return error instanceof ListError ? [error.code, error.values] : String(error);
      }
    };
    const rows = (count: number) => `id,at\n${Array.from({ length: count }, (_, n) => `${n},${AT}\n`).join('')}`;
    expect(codeOf('')).toEqual(['empty', {}]);
    expect(codeOf('id,at\r\n')).toEqual(['empty', {}]);
    expect(codeOf(rows(REFERENCES_MAX))).toBe(REFERENCES_MAX);
    expect(codeOf(rows(REFERENCES_MAX + 1))).toEqual(['tooMany', { count: REFERENCES_MAX + 1, max: REFERENCES_MAX }]);
    expect(codeOf(`id,at,id\na,${AT},b\n`)).toEqual(['twoColumns', { name: 'id' }]);
  });

  it('keeps a column of any name as a column', () => {
    const list = readList('served.csv', `__proto__,constructor,at\na,b,${AT}\n`);
    expect(list.columns).toEqual(['__proto__', 'constructor', 'at']);
    expect(mapRows(list, { reference_id: '__proto__', occurred_at: 'at' }).references).toEqual([
      { reference_id: 'a', occurred_at: AT },
    ]);
    const lines = readList('served.jsonl', `{"constructor":"a","at":"${AT}"}\n{"at":"${AT}"}\n`);
    expect(mapRows(lines, { reference_id: 'constructor', occurred_at: 'at' }).references).toHaveLength(1);
    expect(lines.rows[1]?.get('constructor')).toBeUndefined();
  });

  it('is read from JSON lines, and names the line that is not one', () => {
    const list = readList('served.jsonl', `{"id":7,"at":"${AT}","nested":{}}\n\n`);
    expect(mapRows(list, guessMapping(list.columns)).references).toEqual([{ reference_id: '7', occurred_at: AT }]);
    expect(() => readList('served.jsonl', '{"id":"a"}\n[1]\n')).toThrow('line 2: not a JSON object');
  });

  it('says of each row that is no reference what is wrong with it, and keeps the others', () => {
    const list = readList('served.csv', `reference_id,occurred_at\na,${AT}\nb,yesterday\n,${AT}\n`);
    const { references, faults } = mapRows(list, guessMapping(list.columns));
    expect(references).toEqual([{ reference_id: 'a', occurred_at: AT }]);
    expect(faults.map(({ row, detail }) => [row, detail.split(':')[0]])).toEqual([
      [2, 'occurred_at'],
      [3, 'reference_id'],
    ]);
  });
});
