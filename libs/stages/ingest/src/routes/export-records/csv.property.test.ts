import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AnswerRecord, JsonValue } from '@answer-evidence/contracts';
import { createRecord, openIngest } from '../../fixtures/ingest.ts';
import { formatCsv } from './csv.ts';

const PLAIN = { start: '', cellLengthMax: Infinity };

/** RFC 4180, read character by character; throws where a strict reader would. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const line: string[] = [];
    for (;;) {
      line.push(text.charAt(at) === '"' ? quoted() : bare());
      if (text.charAt(at) === ',') at += 1;
      else break;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no line end at ${at}`);
    at += 2;
    lines.push(line);
  }
  return lines;

  function quoted(): string {
    let cell = '';
    for (at += 1; ; at += 1) {
      if (at >= text.length) throw new Error('an open quote');
      if (text.charAt(at) !== '"') cell += text.charAt(at);
      else if (text.charAt(at + 1) === '"') cell += text.charAt(++at);
      else break;
    }
    at += 1;
    return cell;
  }

  function bare(): string {
    const from = at;
    while (at < text.length && !/[",\r\n]/.test(text.charAt(at))) at += 1;
    if (text.charAt(at) === '"') throw new Error(`a quote inside of a bare cell at ${at}`);
    return text.slice(from, at);
  }
}

/** Signs that a spreadsheet takes for the beginning of a formula. */
const SIGNS = '=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u207c\u207a\u207b\u208c\u208a\u208b\u2212\u30fc';
/** What a spreadsheet could run: in a cell, or in a part of one where it splits at another separator. */
const RUNS = new RegExp(
  `^[\\t\\r\\n]|(?:^|[;|\\t\\r\\n\\v\\f\\u0085\\u2028\\u2029])[\\s\\p{Cc}\\p{Cf}"]*[${SIGNS}]`,
  'u',
);
const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom(...SIGNS.replace('\\', ''), ...`"',;|\r\n\t\v\u0085\u2028\ufeff x`), { maxLength: 8 })
    .map((parts) => parts.join('')),
);

/** What nobody would run is exact; the rest has apostrophes more. */
function expectKept(cell: string | undefined, value: string): void {
  if (!RUNS.test(value)) expect(cell).toBe(value);
  expect(cell?.replaceAll("'", '')).toBe(value.replaceAll("'", ''));
}

describe('formatCsv', () => {
  it('is read back cell by cell by a strict reader, and no cell is one that a spreadsheet runs', async () => {
    const record = await createRecord(await openIngest());
    fc.assert(
      fc.property(fc.array(fc.tuple(nasty, nasty, nasty, nasty), { maxLength: 4 }), (drawn) => {
        const records = drawn.map(([key, question, answer, item]): AnswerRecord => ({
          ...record,
          idempotency_key: key,
          question: { ...record.question, text: question },
          answer: { ...record.answer, text: answer },
          semantic_refs: [{ item }],
          mode: null,
        }));
        const [header = [], ...lines] = parseCsv(formatCsv(records, PLAIN));
        expect(lines).toHaveLength(records.length);
        for (const [n, line] of lines.entries()) {
          expect(line).toHaveLength(header.length);
          expect(line.filter((value, at) => header[at] !== 'receipt' && RUNS.test(value))).toEqual([]);
          const cell = (name: string) => line[header.indexOf(name)];
          const [key = '', question = '', answer = '', item = ''] = drawn[n] ?? [];
          expectKept(cell('idempotency_key'), key);
          expectKept(cell('question_text'), question);
          expectKept(cell('answer_text'), answer);
          expect(JSON.parse(cell('semantic_refs') ?? '')).toEqual([{ item }] satisfies JsonValue);
          expect(cell('mode')).toBe('');
          expect(cell('id')).toBe(record.id);
        }
      }),
    );
  });

  it('keeps the receipt as it is, though a line of it may begin with a sign', async () => {
    const record = await createRecord(await openIngest());
    const receipt = `${record.receipt ?? ''}\n+AAA=\n`;
    const [header = [], line = []] = parseCsv(formatCsv([{ ...record, receipt }], PLAIN));
    expect(line[header.indexOf('receipt')]).toBe(receipt);
  });

  it('names every column once', () => {
    const [header = []] = parseCsv(formatCsv([], PLAIN));
    expect(new Set(header).size).toBe(header.length);
    expect(header).toEqual(expect.arrayContaining(['record_hash', 'receipt', 'ledger_entry', 'events']));
  });
});
