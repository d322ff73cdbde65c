import { describe, expect, it } from '@jest/globals';
import { ApiError, type RecordExport } from '@answer-evidence/client';
import { exportWindows } from './export-windows.ts';

const LATER = '2026-11-20T10:00:00.000000Z';
const LATEST = '2026-11-20T11:00:00.000000Z';

function part(text: string, nextCreatedAfter: string | null): RecordExport {
  const content = new TextEncoder().encode(text);
  return { content, matching: 5, isTruncated: nextCreatedAfter !== null, nextCreatedAfter };
}

async function exportAll(format: 'jsonl' | 'csv', parts: readonly RecordExport[]) {
  const asked: (string | undefined)[] = [];
  const left = [...parts];
  const records = {
    export: (_: string, filters: { created_after?: string | undefined } = {}) => {
      asked.push(filters.created_after);
      const next = left.shift();
      return next === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(next);
    },
  };
  let text = '';
  let delivered = 0;
  for await (const window of exportWindows(records, format, { application_key: 'bot' })) {
    text += new TextDecoder().decode(window.content);
    delivered = window.delivered;
  }
  return { text, delivered, asked };
}

describe('exportWindows', () => {
  it('goes on from the first record that was not delivered until nothing is left', async () => {
    const parts = [part('{"a":1}\n{"a":2}\n', LATER), part('{"a":3}\n', LATEST), part('{"a":4}\n', null)];
    expect(await exportAll('jsonl', parts)).toEqual({
      text: '{"a":1}\n{"a":2}\n{"a":3}\n{"a":4}\n',
      delivered: 4,
      asked: [undefined, LATER, LATEST],
    });
  });

  it('keeps the names of the columns once, and counts rows by the quotes', async () => {
    const parts = [part('id,text\r\n1,"a\nb"\r\n', LATER), part('id,text\r\n2,"say ""\n"""\r\n', null)];
    expect(await exportAll('csv', parts)).toMatchObject({
      text: 'id,text\r\n1,"a\nb"\r\n2,"say ""\n"""\r\n',
      delivered: 2,
    });
  });

  it('ends with an error when the host goes round in a circle', async () => {
    const parts = [part('{}\n', LATER), part('{}\n', LATER)];
    await expect(exportAll('jsonl', parts)).rejects.toThrow(ApiError);
  });
});
