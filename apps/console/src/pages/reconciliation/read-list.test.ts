import { describe, expect, it } from '@jest/globals';
import { guessMapping, mapRows, readList } from './read-list.ts';

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
