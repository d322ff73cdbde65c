import { describe, expect, it } from '@jest/globals';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createMemoryIo } from '../testing/memory-io.ts';
import { UsageError } from '../usage-error.ts';
import { readReferences, type ReferenceOptions } from './read-references.ts';

const HASH = `sha256:${'a'.repeat(64)}`;
const PLAIN: ReferenceOptions = { timeFormat: 'rfc3339' };

async function read(content: string, options: Partial<ReferenceOptions> = {}, path = '/list.jsonl') {
  const { io } = createMemoryIo({ files: { [path]: content }, stdin: content });
  const references = await readReferences(io, path, { ...PLAIN, ...options });
  return references.map(({ referenceId, occurredAt, questionHash, answerHash }) => [
    referenceId,
    formatTimestamp(occurredAt),
    questionHash,
    answerHash,
  ]);
}

const EXPECTED = [
  ['m-1', '2026-11-20T09:00:00.000000Z', null, HASH],
  ['grüße, "2"\n\u{1f600}', '2026-11-20T09:00:00.500000Z', null, null],
];

describe('a list of references', () => {
  it('is read from JSONL, blank lines and other members left out', async () => {
    const lines = [
      `{"reference_id":"m-1","occurred_at":"2026-11-20T10:00:00+01:00","answer_hash":"${HASH}","more":{"a":1}}`,
      '',
      '{"reference_id":"m-2","occurred_at":"2026-11-20T09:00:00.5Z","answer_hash":null}',
    ];
    const expected = [EXPECTED[0], ['m-2', ...(EXPECTED[1]?.slice(1) ?? [])]];
    expect(await read(lines.join('\n'))).toEqual(expected);
    expect(await read(`\ufeff${lines.join('\r\n')}\r\n`)).toEqual(expected);
    expect(await read(lines.join('\n'), {}, '-')).toEqual(expected);
  });

  it('is read from CSV by its line of names, with quotes, empty cells and a byte order mark', async () => {
    const csv = [
      '\ufeffoccurred_at,other,reference_id,answer_hash',
      `2026-11-20T10:00:00+01:00,x,m-1,${HASH}`,
      '2026-11-20T09:00:00.5Z,,"grüße, ""2"" \u{1f600}",',
    ].join('\r\n');
    const expected = [EXPECTED[0], ['grüße, "2" \u{1f600}', ...(EXPECTED[1]?.slice(1) ?? [])]];
    expect(await read(csv, {}, '/list.CSV')).toEqual(expected);
    expect(await read(csv, { format: 'csv' })).toEqual(expected);
  });

  it('is read by other names of columns, and other forms of times', async () => {
    const columns = 'reference_id=message, no,occurred_at=asked,answer_hash=sha';
    const csv = `"message, no",asked,sha\nm-1,1795165200.25,${HASH}\n`;
    expect(await read(csv, { columns, format: 'csv', timeFormat: 'unix' })).toEqual([
      ['m-1', '2026-11-20T09:00:00.250000Z', null, HASH],
    ]);
    const json = `{"message, no":"m-1","asked":1795165200001}`;
    expect(await read(json, { columns, timeFormat: 'unix-ms' })).toEqual([
      ['m-1', '2026-11-20T09:00:00.001000Z', null, null],
    ]);
  });

  it('has its unix times to the microsecond, with all the digits that programs write', async () => {
    const unix = async (seconds: string | number, timeFormat: 'unix' | 'unix-ms' = 'unix') => {
      const lines = await read(`reference_id,occurred_at\nm,${seconds}\n`, { format: 'csv', timeFormat });
      return lines[0]?.[1];
    };
    // As binary fractions, the first two are a little less than the number of microseconds that they stand for.
    for (const micros of ['000249', '001009', '035167', '511003', '999999'])
      expect(await unix(`1795165200.${micros}`)).toBe(`2026-11-20T09:00:00.${micros}Z`);
    expect(await unix('1795165200.1234567')).toBe('2026-11-20T09:00:00.123456Z');
    expect(await unix('1795165200001.2509', 'unix-ms')).toBe('2026-11-20T09:00:00.001250Z');
    expect(await unix('0')).toBe('1970-01-01T00:00:00.000000Z');
  });

  it.each(['1795165200001', '9999999999', '-1', '1.8e9', '0x1', 'secret'])(
    'is refused with the line for the unix time %s',
    async (time) => {
      const csv = `reference_id,occurred_at\nm,${time}\n`;
      const failure = await read(csv, { format: 'csv', timeFormat: 'unix' }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(UsageError);
      expect(String(failure)).toContain(
        'line 2: /occurred_at must be seconds since 1970, between the years 1684 and 2255',
      );
    },
  );

  it('names the lines that are wrong, the first twenty of them, and never a value', async () => {
    const good = '{"reference_id":"secret-good","occurred_at":"2026-11-20T09:00:00Z"}';
    const bad = [
      '{"reference_id":"secret","occurred_at":"2026-11-20"}',
      '{"occurred_at":"2026-11-20T09:00:00Z"}',
      '{"reference_id":"secret","occurred_at":"2026-02-30T09:00:00Z"}',
      `{"reference_id":"secret","occurred_at":"2026-11-20T09:00:00Z","answer_hash":"secret"}`,
      '{"reference_id":7,"occurred_at":"2026-11-20T09:00:00Z"}',
    ];
    const failure = await read([good, ...bad].join('\n')).catch((error: unknown) => String(error));
    for (const line of [2, 3, 4, 5, 6]) expect(failure).toContain(`line ${line}: /`);
    expect(failure).not.toContain('line 1:');
    expect(failure).not.toContain('secret');
    const many = await read(Array.from({ length: 40 }, () => bad[1]).join('\n')).catch((error: unknown) =>
      String(error),
    );
    expect(String(many).match(/line \d+:/g)).toHaveLength(20);
  });

  it.each([
    ['no JSON', 'x', 'jsonl', 'line 1: not a JSON object'],
    ['a JSON array', '\n[]', 'jsonl', 'line 2: not a JSON object'],
    ['a name twice', '{"reference_id":"a","reference_id":"b"}', 'jsonl', 'line 1: not a JSON object'],
    ['an open quote', 'reference_id,occurred_at\n"secret,1\n', 'csv', 'not valid CSV'],
    ['a cell too many', 'reference_id,occurred_at\na,b,secret\n', 'csv', 'not valid CSV'],
    ['two columns of one name', 'reference_id,reference_id\na,b\n', 'csv', 'two columns'],
    ['no column of the id', 'id,occurred_at\na,2026-11-20T09:00:00Z\n', 'csv', 'line 2: /reference_id'],
  ] as const)('is refused with the place for %s', async (_, content, format, message) => {
    const failure = await read(content, { format }).catch((error: unknown) => String(error));
    expect(failure).toContain(message);
    expect(failure).not.toContain('secret');
  });

  it('is refused when it is not UTF-8, or not there', async () => {
    const { io } = createMemoryIo();
    await expect(readReferences(io, '/gone', PLAIN)).rejects.toThrow('no such file');
    const broken = { ...io, readStdin: () => Promise.resolve(Uint8Array.of(0x7b, 0xff)) };
    await expect(readReferences(broken, '-', PLAIN)).rejects.toThrow('not a UTF-8 text file');
  });

  it.each(['x', 'reference_id', 'reference_id=', 'reference_id=a,reference_id=b', 'text=a'])(
    'refuses the columns %s',
    async (columns) => {
      await expect(read('', { columns })).rejects.toThrow('--columns');
    },
  );
});
