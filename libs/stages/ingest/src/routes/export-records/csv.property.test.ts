import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AnswerRecord, JsonValue } from '@answer-evidence/contracts';
import { createFakeIngest, createRecord } from '../../fixtures/ingest.ts';
import { formatCsv } from './csv.ts';

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

const RUNS = /^[=+\-@\t\r\n]/;
const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('"', ',', '\r', '\n', "'", '=', '+', '-', '@', '\t', ';', ' ', 'x'), { maxLength: 8 })
    .map((deps) => deps.join('')),
);

function defused(value: string): string {
  return RUNS.test(value) ? `'${value}` : value;
}

describe('formatCsv', () => {
  it('is read back cell by cell by a strict reader, and no cell is one that a spreadsheet runs', async () => {
    const record = await createRecord(createFakeIngest());
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
        const [header = [], ...lines] = parseCsv(formatCsv(records));
        expect(lines).toHaveLength(records.length);
        for (const [n, line] of lines.entries()) {
          expect(line).toHaveLength(header.length);
          expect(line.filter((cell) => RUNS.test(cell))).toEqual([]);
          const cell = (name: string) => line[header.indexOf(name)];
          const [key = '', question = '', answer = '', item = ''] = drawn[n] ?? [];
          expect(cell('idempotency_key')).toBe(defused(key));
          expect(cell('question_text')).toBe(defused(question));
          expect(cell('answer_text')).toBe(defused(answer));
          expect(JSON.parse(cell('semantic_refs') ?? '')).toEqual([{ item }] satisfies JsonValue);
          expect(cell('mode')).toBe('');
          expect(cell('id')).toBe(record.id);
        }
      }),
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])('defuses %j with an apostrophe', async (text) => {
    const record = await createRecord(createFakeIngest());
    const [header = [], line = []] = parseCsv(formatCsv([{ ...record, mode: text }]));
    expect(line[header.indexOf('mode')]).toBe(`'${text}`);
  });

  it('names every column once', () => {
    const [header = []] = parseCsv(formatCsv([]));
    expect(new Set(header).size).toBe(header.length);
    expect(header).toEqual(expect.arrayContaining(['record_hash', 'receipt', 'ledger_entry', 'events']));
  });
});
