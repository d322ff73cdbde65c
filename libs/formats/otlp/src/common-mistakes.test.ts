import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { jsonBody, SPAN, TRACE, tracesBody } from '../fixtures/bodies.ts';
import { type OtlpEncoding, readRequest, readTracesRequest } from './index.ts';

const ENCODINGS: readonly OtlpEncoding[] = ['protobuf', 'json'];
const TRACE_HEX = 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf';
const SPAN_HEX = 'b0b1b2b3b4b5b6b7';

/** One span in JSON, whatever is wrong with it. */
function readSpan(fields: object) {
  const span = { traceId: TRACE_HEX, spanId: SPAN_HEX, ...fields };
  return readRequest(jsonBody({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }), 'json', 'traces');
}

function readLog(fields: object) {
  return readRequest(jsonBody({ resourceLogs: [{ scopeLogs: [{ logRecords: [fields] }] }] }), 'json', 'logs');
}

describe('ids', () => {
  it('are hexadecimal of either case in JSON, and lower case from then on', () => {
    const { items } = readSpan({ traceId: TRACE_HEX.toUpperCase(), parentSpanId: 'AbCdEf0123456789' });
    expect(items).toMatchObject([{ traceId: TRACE_HEX, parentSpanId: 'abcdef0123456789' }]);
  });

  it('that came through a reader of base64 are refused with the cause', () => {
    // 32 hexadecimal digits are 24 bytes of base64, and 16 are 12.
    const asBase64 = (bytes: Uint8Array) => new Uint8Array(Buffer.from(Buffer.from(bytes).toString('hex'), 'base64'));
    const { rejected } = readTracesRequest(
      tracesBody('protobuf', [{ traceId: asBase64(TRACE) }, { spanId: asBase64(SPAN) }]),
    );
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'trace_id has 24 bytes and needs 16: it looks like hexadecimal that was decoded as base64',
      'span_id has 12 bytes and needs 8: it looks like hexadecimal that was decoded as base64',
    ]);
  });

  it.each([
    ['traceId', Buffer.from(TRACE).toString('base64')],
    ['spanId', Buffer.from(SPAN).toString('base64')],
    ['parentSpanId', Buffer.from(SPAN).toString('base64')],
  ])('in base64 are refused in JSON with the cause: %s', (name, id) => {
    const reason = expect.stringMatching(new RegExp(`^${name} must be \\d+ hexadecimal digits: it looks like base64`));
    expect(readSpan({ [name]: id }).rejected).toEqual([{ index: 0, ...idsWithout(name), reason }]);
    if (name !== 'parentSpanId') expect(readLog({ [name]: id }).rejected).toMatchObject([{ reason }]);
  });

  it.each(ENCODINGS)('of a wrong length refuse one span alone, in %s', (encoding) => {
    const bad = [
      { traceId: TRACE.slice(1) },
      { spanId: new Uint8Array(8) },
      { spanId: new Uint8Array(0) },
      { parentSpanId: TRACE },
    ];
    const { items, rejected } = readRequest(tracesBody(encoding, [{}, ...bad, {}]), encoding, 'traces');
    expect(items.map(({ index }) => index)).toEqual([0, 5]);
    expect(rejected.map(({ index }) => index)).toEqual([1, 2, 3, 4]);
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'trace_id has 15 bytes and needs 16',
      'span_id is all zero',
      expect.stringMatching(/^span_id is missing/),
      'parent_span_id has 16 bytes and needs 8',
    ]);
  });

  it('of a wrong length are no trace in a log record, and zeros are no parent', () => {
    expect(readLog({ traceId: '00'.repeat(16), spanId: 'abcd' }).items).toMatchObject([
      { traceId: null, spanId: null },
    ]);
    expect(readSpan({ parentSpanId: '0'.repeat(16) }).items).toMatchObject([{ parentSpanId: null }]);
    expect(readSpan({ parentSpanId: '' }).items).toMatchObject([{ parentSpanId: null }]);
  });
});

describe('values', () => {
  it.each(ENCODINGS)('of bytes stay bytes, in memory of their own, in %s', (encoding) => {
    const sent = Uint8Array.of(0, 0xff, 0xc3, 0x28);
    const bytesValue = encoding === 'json' ? Buffer.from(sent).toString('base64') : sent;
    const body = tracesBody(encoding, [{ attributes: [{ key: 'b', value: { bytesValue } }] }]);
    const { items } = readRequest(Buffer.from(body), encoding, 'traces');
    body.fill(0);
    expect(items[0]?.attributes).toEqual([{ key: 'b', value: sent }]);
  });

  it.each([
    ['-_-_', [251, 255, 191]],
    ['AQ==', [1]],
    ['AQ', [1]],
    ['', []],
  ])('of bytes may be either base64 in JSON: %j', (bytesValue, bytes) => {
    expect(readSpan({ attributes: [{ key: 'b', value: { bytesValue } }] }).items[0]?.attributes[0]?.value).toEqual(
      Uint8Array.from(bytes),
    );
  });

  it('of 64 bits are exact as string and as number, also where a double is not', () => {
    const wide = '1544712660300000001';
    const body = (integer: string) =>
      utf8(
        `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${TRACE_HEX}","spanId":"${SPAN_HEX}","startTimeUnixNano":${integer},` +
          `"attributes":[{"key":"${wide}","value":{"intValue":${integer}}},{"key":"d","value":{"doubleValue":${wide}}}]}]}]}]}`,
      );
    const asString = readRequest(body(`"${wide}"`), 'json', 'traces');
    expect(readRequest(body(wide), 'json', 'traces')).toEqual(asString);
    expect(asString.items).toMatchObject([
      {
        startTimeUnixNano: BigInt(wide),
        attributes: [
          { key: wide, value: BigInt(wide) },
          { key: 'd', value: Number(wide) },
        ],
      },
    ]);
  });

  it('may be empty, missing, or of any kind', () => {
    const attributes = [
      { key: 'empty', value: {} },
      { key: 'null', value: null },
      { key: 'missing' },
      { value: { arrayValue: {} } },
      { key: 'map', value: { kvlistValue: { values: [{ key: 'a', value: { doubleValue: 'NaN' } }] } } },
    ];
    expect(readSpan({ attributes }).items[0]?.attributes).toEqual([
      { key: 'empty', value: null },
      { key: 'null', value: null },
      { key: 'missing', value: null },
      { key: '', value: [] },
      { key: 'map', value: { members: [{ key: 'a', value: NaN }] } },
    ]);
  });

  it.each([
    ['stringValue', 5],
    ['boolValue', 'true'],
    ['intValue', '1.5'],
    ['intValue', 1.5],
    ['intValue', '9223372036854775808'],
    ['intValue', ''],
    ['doubleValue', 'much'],
    ['doubleValue', '1e999'],
    ['arrayValue', 'none'],
    ['kvlistValue', 7],
    ['bytesValue', '***'],
  ])('of a wrong type refuse their span alone: %s %j', (name, value) => {
    const bad = { key: 'k', value: { [name]: value } };
    const spans = [{}, { attributes: [bad] }, {}].map((fields) => ({
      traceId: TRACE_HEX,
      spanId: SPAN_HEX,
      ...fields,
    }));
    const { items, rejected } = readRequest(
      jsonBody({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
      'json',
      'traces',
    );
    expect(items).toHaveLength(2);
    expect(rejected).toMatchObject([{ index: 1, reason: expect.stringContaining(name) }]);
  });

  it('with two kinds, or none of the form, refuse their span', () => {
    const reasonsOf = (value: unknown) =>
      readSpan({ attributes: [{ key: 'k', value }] }).rejected.map(({ reason }) => reason);
    expect(reasonsOf({ stringValue: 'a', intValue: 1 })).toEqual([expect.stringMatching(/exactly one/)]);
    expect(reasonsOf('plain')).toEqual([expect.stringMatching(/must be an object/)]);
    expect(reasonsOf({ stringValue: 'a', intValue: null, unknownValue: 1 })).toEqual([]);
  });
});

describe('a span', () => {
  it('without a kind is taken, and its kind is not said', () => {
    expect(readSpan({}).items).toMatchObject([{ spanKind: 0, statusCode: 0 }]);
  });

  it.each([
    ['kind', 'SPAN_KIND_SERVER'],
    ['kind', 1.5],
    ['startTimeUnixNano', 'yesterday'],
    ['startTimeUnixNano', -1],
    ['endTimeUnixNano', '18446744073709551616'],
    ['name', {}],
    ['attributes', {}],
    ['events', 'none'],
    ['traceId', 17],
  ])('with a field of a wrong type is refused alone: %s', (name, value) => {
    expect(readSpan({ [name]: value }).rejected).toMatchObject([{ index: 0, reason: expect.stringContaining(name) }]);
  });

  it('in snake_case is refused with the cause, rather than taken for an empty one', () => {
    const spans = [{ trace_id: TRACE_HEX, span_id: SPAN_HEX }];
    const { rejected } = readRequest(jsonBody({ resourceSpans: [{ scopeSpans: [{ spans }] }] }), 'json', 'traces');
    expect(rejected).toMatchObject([{ reason: expect.stringContaining('lowerCamelCase') }]);
  });

  it('may have fields that no version of the specification knows yet', () => {
    const { items } = readSpan({ newField: { deep: [[[{}]]] }, name: 'n' });
    expect(items).toMatchObject([{ name: 'n' }]);
    const protobuf = tracesBody('protobuf', [{ name: 'n' }]);
    // Fields 30 to 33, one of each wire type, behind the request's own.
    const unknown = [0xf0, 1, 7, 0xf9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x82, 2, 1, 0x41, 0x8d, 2, 0, 0, 0, 0];
    expect(readTracesRequest(Uint8Array.from([...protobuf, ...unknown]))).toEqual(readTracesRequest(protobuf));
  });
});

function idsWithout(name: string): object {
  return { traceId: name === 'traceId' ? null : TRACE_HEX, spanId: name === 'spanId' ? null : SPAN_HEX };
}
