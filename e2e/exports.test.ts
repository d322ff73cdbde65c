import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';
import { createMany } from './support/rich-workspace.ts';

const EXPORT = '/api/answer-audit-logs/export';
const COUNT = 450;
/** What a spreadsheet would run, and how it stands in a cell. */
const FORMULAS = {
  '=1+1': "'=1+1",
  '+1': "'+1",
  '-1': "'-1",
  '@SUM(A1)': "'@SUM(A1)",
  '\t=1': "'\t'=1",
  '\n=1': "'\n'=1",
  ' =1': "' =1",
  'a;=1': "a;'=1",
};
const PLAIN = ['a,b', 'a "quoted" b', 'a\r\nb', "'=1", '', 'é 😀'];

let service: TestService;
let created: readonly string[];
beforeAll(async () => {
  service = await openTestService();
  const replies = await createMany(service, COUNT, (n) =>
    answer(`question ${n}`, 'an answer', { environment: 'many' }),
  );
  created = replies
    .map(({ body }) => body)
    .sort((a, b) => a.ledger.leaf_index - b.ledger.leaf_index)
    .map(({ id }) => id);
}, 60_000);
afterAll(() => service.close());

const fetchExport = (query: Record<string, string>): Promise<Reply> =>
  service.call('GET', `${EXPORT}?${new URLSearchParams(query)}`);
const lines = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** RFC 4180, read the strict way. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = /"((?:[^"]|"")*)"(,|\r\n)/y;
    const bare = /([^",\r\n]*)(,|\r\n)/y;
    quoted.lastIndex = bare.lastIndex = at;
    const match = quoted.exec(text) ?? bare.exec(text);
    if (match === null) throw new Error(`no cell begins at ${at}`);
    row.push((match[1] ?? '').replaceAll('""', '"'));
    at += match[0].length;
    if (match[2] === '\r\n') {
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) throw new Error('the last row has no end');
  return rows;
}

/** The rows of a CSV by the names of its header. */
function readCsv(text: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(text);
  for (const row of rows) expect(row).toHaveLength(header.length);
  return rows.map((row) => Object.fromEntries(header.map((name, n) => [name, row[n] ?? ''])));
}

describe('an export', () => {
  it.each(['jsonl', 'csv'])(
    'as %s walks all records once, oldest first, window by window, and says what it left out',
    async (format) => {
      const delivered: string[] = [];
      const cuts: (string | null)[][] = [];
      for (let from: string | null = '2000-01-01T00:00:00Z'; from !== null;) {
        const reply = await fetchExport({ format, environment: 'many', created_after: from });
        expect(reply.status).toBe(200);
        const rows = format === 'csv' ? readCsv(reply.text) : lines(reply.text);
        delivered.push(...rows.map(({ id }) => id));
        from = reply.headers.get('export-next-created-after');
        cuts.push([reply.headers.get('export-truncated'), reply.headers.get('export-matching'), String(rows.length)]);
      }
      expect(delivered).toEqual(created);
      expect(cuts).toEqual([
        ['true', '450', '200'],
        ['true', '250', '200'],
        ['false', '50', '50'],
      ]);
    },
  );

  it('that fits exactly says that nothing was left out', async () => {
    const { created_at: before } = lines((await fetchExport({ format: 'jsonl', environment: 'many' })).text)[150];
    const reply = await fetchExport({ format: 'jsonl', environment: 'many', created_before: before });
    expect(lines(reply.text)).toHaveLength(150);
    expect(reply.headers.get('export-truncated')).toBe('false');
    expect(reply.headers.get('export-next-created-after')).toBeNull();
  });

  it('is an attachment of its type, and leaves an entry in the ledger that commits to its bytes', async () => {
    for (const [format, type] of [
      ['jsonl', 'application/jsonl'],
      ['csv', 'text/csv'],
    ] as const) {
      const reply = await fetchExport({ format, environment: 'many' });
      expect(reply.headers.get('content-type')).toContain(type);
      expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+"$/);
    }
    const checked = await service.call('POST', '/api/trust/ledger-checks');
    expect(checked.body).toMatchObject({ outcome: 'PASS', findings: [] });
  });

  it('as jsonl holds each record as it is read by its id', async () => {
    const [first] = lines((await fetchExport({ format: 'jsonl', environment: 'many' })).text);
    const { receipt: _old, ...exported } = first;
    const { receipt: _new, ...read } = (await service.call('GET', `/api/answer-audit-logs/${first.id}`)).body;
    expect(exported).toEqual(read);
  });

  it('as csv defuses what a spreadsheet would run, keeps everything else as it is, and has JSON for objects', async () => {
    const texts = [...Object.keys(FORMULAS), ...PLAIN];
    for (const text of texts) {
      const body = answer(text, text, {
        environment: 'formulas',
        semantic_refs: [{ text }],
        ...(text.startsWith('=') ? { mode: text } : {}),
      });
      expect((await service.call('POST', '/api/answer-audit-logs', { body })).status).toBe(201);
    }
    const rows = readCsv((await fetchExport({ format: 'csv', environment: 'formulas' })).text);
    expect(rows.map((row) => row.question_text)).toEqual([...Object.values(FORMULAS), ...PLAIN]);
    expect(rows.map((row) => row.answer_text)).toEqual(rows.map((row) => row.question_text));
    expect(rows.map((row) => JSON.parse(row.semantic_refs ?? ''))).toEqual(texts.map((text) => [{ text }]));
    expect(rows[0]?.mode).toBe("'=1+1");
    const cells = rows.flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([]);
  });

  it('of an empty window has a header and no row', async () => {
    const reply = await fetchExport({ format: 'csv', environment: 'nowhere' });
    expect(readCsv(reply.text)).toEqual([]);
    expect(parseCsv(reply.text)[0]).toContain('record_hash');
    expect((await fetchExport({ format: 'jsonl', environment: 'nowhere' })).text).toBe('');
    expect(reply.headers.get('export-matching')).toBe('0');
  });
});
