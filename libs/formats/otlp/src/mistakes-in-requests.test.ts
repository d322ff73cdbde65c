import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { jsonBody, textAttribute } from '../fixtures/bodies.ts';
import { createSdkBatch } from '../fixtures/sdk-batches.ts';
import { type OtlpEncoding, OtlpError, readLogsRequest, readRequest, readTracesRequest } from './index.ts';

const ENCODINGS: readonly OtlpEncoding[] = ['protobuf', 'json'];
const TRACE_HEX = 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf';
const SPAN_HEX = 'b0b1b2b3b4b5b6b7';

/** One span in JSON, whatever is wrong with it. */
function readSpan(fields: object) {
  const span = { traceId: TRACE_HEX, spanId: SPAN_HEX, ...fields };
  return readRequest(jsonBody({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }), 'json', 'traces');
}

function refusalOf(read: () => unknown): OtlpError {
  try {
    read();
  } catch (error) {
    if (error instanceof OtlpError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('a request', () => {
  it.each(ENCODINGS)('of log records is not taken for one of traces, nor the reverse, in %s', (encoding) => {
    for (const [sent, wanted] of [
      ['logs', 'traces'],
      ['traces', 'logs'],
    ] as const) {
      const refusal = refusalOf(() => readRequest(createSdkBatch(sent, encoding), encoding, wanted));
      expect(refusal).toMatchObject({ fault: 'wrong_signal', message: expect.stringContaining(`/v1/${sent}`) });
    }
  });

  it.each(ENCODINGS)('that is empty is a batch of nothing, in %s', (encoding) => {
    for (const signal of ['traces', 'logs', undefined] as const) {
      const empty = encoding === 'json' ? utf8('{}') : new Uint8Array(0);
      expect(readRequest(empty, encoding, signal)).toMatchObject({ items: [], rejected: [] });
    }
  });

  it.each(['{"foo":1}', '{"resourcespans":[{}]}', '{"spans":[]}', '{"resource_spans":[]}'])(
    'that has members but none that is known, as %s, is a batch of nothing with a warning',
    (text) => {
      for (const signal of ['traces', 'logs', undefined] as const) {
        const warning = expect.stringMatching(/nothing was received.*resourceSpans nor resourceLogs/);
        expect(readRequest(utf8(text), 'json', signal)).toMatchObject({ items: [], rejected: [], warning });
      }
    },
  );

  it.each([
    ['{"resourceSpan":[{}]}', 'it has "resourceSpan": write resourceSpans'],
    ['{"resourcelogs":[{}]}', 'it has "resourcelogs": write resourceLogs'],
    ['{"resourceSpans":[{"scopeSpan":[{}]}]}', 'it has "scopeSpan": write scopeSpans'],
    ['{"resourceLogs":[{"scopeLogs":[{"logRecord":[{}]}]}]}', 'it has "logRecord": write logRecords'],
  ])('whose list is misspelt, as %s, has a warning that names both', (text, ending) => {
    expect(readRequest(utf8(text), 'json', undefined).warning).toMatch(ending);
  });

  it.each([
    ['{"resourceSpans":[{"scope_spans":[{}]}]}', /received of \/resourceSpans\/0: it has no scopeSpans/],
    ['{"resourceSpans":[{"resource":{},"instrumentationLibrarySpans":[{"spans":[{}]}]}]}', /it has no scopeSpans/],
    ['{"resourceLogs":[{"scopeLogs":[]},{"scope_logs":[{}]}]}', /received of \/resourceLogs\/1: it has no scopeLogs/],
    [
      '{"resourceSpans":[{"scopeSpans":[{"scope":{},"span":[{}]}]}]}',
      /\/resourceSpans\/0\/scopeSpans\/0: it has no spans/,
    ],
    ['{"resourceLogs":[{"scopeLogs":[{"log_records":[{}]}]}]}', /it has no logRecords, and field names/],
  ])('whose lists have other names further down, as %s, has a warning that names the place', (text, warning) => {
    expect(readRequest(utf8(text), 'json', undefined).warning).toMatch(warning);
  });

  it.each([
    '{"resourceSpans":[],"foo":1}',
    '{"resourceSpans":null}',
    '{}',
    '{"resourceSpans":[{}]}',
    '{"resourceSpans":[{"resource":{},"schemaUrl":""}]}',
    '{"resourceSpans":[{"foo":1,"scopeSpans":[{"scope":{}},{"foo":1,"spans":[]}]}]}',
  ])('that is %s has no warning', (text) => {
    expect(readRequest(utf8(text), 'json', undefined).warning).toBeUndefined();
  });

  it.each([
    ['{"resource_spans":[{}]}', 'malformed', /lowerCamelCase/],
    ['{"resourceSpans":[{}],"resourceLogs":[{}]}', 'wrong_signal', /one request for each/],
    ['{"resourceMetrics":[{}]}', 'wrong_signal', /metrics/],
    ['{"resourceSpans":{}}', 'malformed', /^\/resourceSpans must be an array/],
    ['{"resourceSpans":[5]}', 'malformed', /^\/resourceSpans\/0 must be an object/],
    [
      '{"resourceSpans":[{"scopeSpans":[{"spans":7}]}]}',
      'malformed',
      /^\/resourceSpans\/0\/scopeSpans\/0\/spans must be an array/,
    ],
    ['{"resourceSpans":[{"scopeSpans":[],"scopeSpans":[]}]}', 'malformed', /a key twice/],
    ['[]', 'malformed', /object/],
    ['{"resourceSpans":[', 'malformed', /closing bracket is expected at line 1, column 19/],
    ['{"resourceSpans":[{"scopeSpans":[{"n\\u0061me":1,"name":2}]}]}', 'malformed', /a key twice/],
    [
      '{"resourceSpans":[1234567890123456789 5]}',
      'malformed',
      /comma or a closing bracket is expected at line 1, column 39/,
    ],
    ['{1234567890123456789 \n:5}', 'malformed', /member name in double quotes is expected at line 1, column 2/],
    ['', 'malformed', /value is expected at line 1, column 1/],
    ['\ufeff{}', 'malformed', /byte order mark/],
  ])('of another form is refused as a whole: %s', (text, fault, message) => {
    const refusal = refusalOf(() => readRequest(utf8(text), 'json', undefined));
    expect(refusal.fault).toBe(fault);
    expect(refusal.message).toMatch(message);
  });

  it.each([
    ['an invalid text', Uint8Array.of(0x0a, 3, 0x1a, 1, 0xff), /byte 4 must be UTF-8/],
    ['half a surrogate pair', Uint8Array.of(0x0a, 5, 0x1a, 3, 0xed, 0xa0, 0x80), /byte 4 must be UTF-8/],
    ['a cut message', Uint8Array.of(0x0a, 3, 0x1a), /exceeds the enclosing/],
    ['a field of a wrong type', Uint8Array.of(0x0a, 2, 0x10, 1), /field 2 of ResourceSpans.* must have the wire type/],
    ['field 0', Uint8Array.of(0x02, 0), /number 0/],
  ])('of bytes with %s is refused as a whole', (_, bytes, message) => {
    expect(refusalOf(() => readTracesRequest(bytes)).message).toMatch(message);
    expect(refusalOf(() => readLogsRequest(bytes)).message).toMatch(message);
  });

  it('is never quoted by what refuses it', () => {
    const secret = 'sk-secret';
    const bad: readonly object[] = [
      { traceId: secret },
      { kind: secret },
      { startTimeUnixNano: secret },
      { attributes: [{ key: 'k', value: { intValue: secret } }] },
      { attributes: [{ key: 'k', value: { bytesValue: `${secret}!` } }] },
      { attributes: secret },
      { attributes: [textAttribute(secret + 'x'.repeat(2 ** 21), 'x')] },
    ];
    const reasons = bad.flatMap((fields) => readSpan(fields).rejected.map(({ reason }) => reason));
    expect(reasons).toHaveLength(bad.length);
    expect(reasons.join()).not.toContain('secret');
    const documents = [`{"a":"${secret}`, `{"${secret}":1,"${secret}":2}`, `{"resourceSpans":"${secret}"}`, secret];
    for (const text of documents) {
      expect(JSON.stringify(refusalOf(() => readRequest(utf8(text), 'json', undefined)).message)).not.toContain(
        'secret',
      );
    }
  });
});
