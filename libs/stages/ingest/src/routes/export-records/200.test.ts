import { beforeAll, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { type AnswerRecord, answerRecord, exportCore } from '@answer-evidence/contracts';
import { parseHex, parseJsonText } from '@answer-evidence/encoding';
import { verifyInclusion } from '@answer-evidence/merkle';
import { parseCheckpoint, parseNote, parseTlogProof } from '@answer-evidence/note';
import { appendEvent, createRecord, type IngestTest, openIngest, readRecord, RECORDS } from '../../fixtures/ingest.ts';

const RECORDS_MADE = 203;

describe('GET /api/answer-audit-logs/export', () => {
  let stage: IngestTest;
  let records: readonly AnswerRecord[];
  beforeAll(async () => {
    stage = await openIngest();
    const made = await Promise.all(
      Array.from({ length: RECORDS_MADE }, (_none, n) =>
        createRecord(stage, { environment: n < 3 ? 'staging' : 'production', source_refs: [{ n }] }),
      ),
    );
    records = made.toSorted((a, b) => a.ledger.leaf_index - b.ledger.leaf_index);
    await appendEvent(stage, records[0]?.id ?? '', {
      event_type: 'correction_appended',
      reason: 'wrong',
      payload: { corrected_answer_text: 'No.' },
    });
    await appendEvent(stage, records[1]?.id ?? '', { event_type: 'redacted' });
  });

  async function download(query: Record<string, string>) {
    const reply = await stage.call('GET', `${RECORDS}/export`, { as: stage.manager, query });
    expect(reply.status).toBe(200);
    return { ...reply, text: String(reply.body) };
  }
  const rowsOf = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => answerRecord.parse(parseJsonText(line)));

  it('delivers whole records as JSON lines, oldest first, with texts, events and receipts that verify', async () => {
    const { text, headers, contentType } = await download({ format: 'jsonl', environment: 'staging' });
    expect(contentType).toBe('application/jsonl; charset=utf-8');
    expect(headers).toEqual({
      'Content-Disposition': 'attachment; filename="answer-audit-logs.jsonl"',
      'Export-Truncated': 'false',
      'Export-Matching': '3',
    });
    const rows = rowsOf(text);
    const staging = records.filter(({ environment }) => environment === 'staging');
    expect(rows.map(({ id }) => id)).toEqual(staging.map(({ id }) => id));
    for (const row of rows) {
      expect({ ...row, receipt: '' }).toEqual({ ...(await readRecord(stage, row.id)), receipt: '' });
      const { index, hashes, checkpoint } = parseTlogProof(row.receipt);
      const { size, root } = parseCheckpoint(parseNote(checkpoint).text);
      verifyInclusion(index, size, parseHex(row.ledger.leaf_hash), hashes, root);
    }
  });

  it('writes into the log, before the texts leave, who took what and the hash of the file', async () => {
    const { text } = await download({ format: 'csv', environment: 'staging' });
    const entries = await stage.logs.workspaceEntries(stage.workspace.id, 'export_made');
    const cores = entries.map((entry) => exportCore.parse(parseJsonText(entry.core_json)));
    expect(cores.find(({ content_hash: hash }) => hash === commitPlain(text))).toMatchObject({
      format: 'csv',
      filters: { environment: 'staging' },
      records: 3,
      actor: { kind: 'user', id: stage.manager.userId },
    });
  });

  it('cuts at 200 records and says where to go on, so that windows overlap in nothing and leave nothing out', async () => {
    const first = await download({ format: 'jsonl' });
    expect(first.headers).toMatchObject({
      'Export-Truncated': 'true',
      'Export-Matching': String(RECORDS_MADE),
      'Export-Next-Created-After': records[200]?.created_at,
    });
    const next = first.headers?.['Export-Next-Created-After'] ?? '';
    const second = await download({ format: 'jsonl', created_after: next });
    expect(second.headers).toMatchObject({ 'Export-Truncated': 'false', 'Export-Matching': '3' });
    const ids = [...rowsOf(first.text), ...rowsOf(second.text)].map(({ id }) => id);
    expect(ids).toEqual(records.map(({ id }) => id));
  });

  it('is not truncated by exactly 200 records', async () => {
    const before = records[200]?.created_at ?? '';
    const { text, headers } = await download({ format: 'jsonl', created_before: before });
    expect(headers).toMatchObject({ 'Export-Truncated': 'false', 'Export-Matching': '200' });
    expect(rowsOf(text)).toHaveLength(200);
  });

  it('cuts sooner where records are large, and leaves nothing out', async () => {
    const text = 'x'.repeat(250_000);
    const made: string[] = [];
    for (let n = 0; n < 70; n++)
      made.push((await createRecord(stage, { environment: 'large', question: { text }, answer: { text } })).id);
    const first = await download({ format: 'jsonl', environment: 'large' });
    expect(first.headers).toMatchObject({ 'Export-Truncated': 'true', 'Export-Matching': '70' });
    expect(Buffer.byteLength(String(first.body))).toBeLessThan(35_000_000);
    const next = first.headers?.['Export-Next-Created-After'] ?? '';
    const second = await download({ format: 'jsonl', environment: 'large', created_after: next });
    expect(second.headers?.['Export-Truncated']).toBe('false');
    const lines = `${first.text}${second.text}`.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as AnswerRecord).id)).toEqual(made);
  });

  it('writes CSV for a spreadsheet: a mark before the header, and cells that are cut, as the log has the file', async () => {
    const text = `a ${'x'.repeat(40_000)}`;
    await createRecord(stage, { environment: 'sheet', answer: { text } });
    const asked = { format: 'csv', environment: 'sheet', bom: 'true', cell_length_max: '32767' };
    const sheet = (await download(asked)).text;
    expect(sheet).toMatch(/^\uFEFFid,application_key,/);
    expect(sheet).toContain(' [cut: 40002 characters]');
    expect(Math.max(...sheet.split(/[",\r\n]+/).map((cell) => cell.length))).toBe(32_767);
    const entries = await stage.logs.workspaceEntries(stage.workspace.id, 'export_made');
    expect(entries.map((entry) => exportCore.parse(parseJsonText(entry.core_json)))).toContainEqual(
      expect.objectContaining({ content_hash: commitPlain(sheet), filters: { environment: 'sheet' } }),
    );
    const plain = (await download({ format: 'csv', environment: 'sheet', bom: 'false' })).text;
    expect(plain).toMatch(/^id,/);
    expect(plain).toContain(text);
  });

  it('delivers a header line alone, or nothing, of an empty window', async () => {
    expect((await download({ format: 'jsonl', application_key: 'nobody' })).text).toBe('');
    const { text, contentType } = await download({ format: 'csv', application_key: 'nobody' });
    expect(contentType).toBe('text/csv; charset=utf-8');
    expect(text).toMatch(/^id,application_key,[a-z_,]*\r\n$/);
  });
});
