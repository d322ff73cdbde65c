import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { jsonBody, nestedValue, SPAN, type SpanFields, textAttribute, TRACE, tracesBody } from '../fixtures/bodies.ts';
import { OTLP_LIMITS, type OtlpEncoding, OtlpError, type OtlpLimits, readRequest } from './index.ts';
import { bytesField } from './reply/wire-writer.ts';

const LIMITS: OtlpLimits = { ...OTLP_LIMITS, depthMax: 3, attributesMax: 2, eventsMax: 1, textMaxBytes: 8 };
const ENCODINGS: readonly OtlpEncoding[] = ['protobuf', 'json'];

const withAttributes = (...attributes: readonly object[]): SpanFields => ({ attributes });
const deep = (levels: number): SpanFields => withAttributes({ key: 'k', value: nestedValue(levels) });

/** A span at a limit, one beyond it, and what is said of that. */
const ITEM_CASES: readonly (readonly [string, SpanFields, SpanFields, RegExp])[] = [
  ['levels', deep(3), deep(4), /is nested deeper than 3 levels/],
  [
    'attributes',
    withAttributes(textAttribute('a'), textAttribute('b')),
    withAttributes(textAttribute('a'), textAttribute('b'), textAttribute('c')),
    /more than 2 attributes/,
  ],
  ['events', { events: [{ name: 'a' }] }, { events: [{ name: 'a' }, { name: 'b' }] }, /more than 1 event/],
  ['bytes of a key', withAttributes(textAttribute('12345678')), withAttributes(textAttribute('123456789')), /8 bytes/],
  ['bytes of a name', { name: '12345678' }, { name: '123456789' }, /8 bytes/],
  [
    'attributes of an event',
    { events: [{ attributes: [textAttribute('a'), textAttribute('b')] }] },
    { events: [{ attributes: [textAttribute('a'), textAttribute('b'), textAttribute('c')] }] },
    /more than 2 attributes/,
  ],
];

describe.each(ENCODINGS)('in %s', (encoding) => {
  it.each(ITEM_CASES)(
    'a span at the limit of %s is taken, and one beyond it is refused alone',
    (_, at, beyond, reason) => {
      const good = { name: 'good' };
      const body = tracesBody(encoding, [good, beyond, at, good].map(hexInJson(encoding)));
      const { items, rejected } = readRequest(body, encoding, 'traces', LIMITS);
      expect(items.map(({ index }) => index)).toEqual([0, 2, 3]);
      expect(rejected).toEqual([
        { index: 1, traceId: hex(TRACE), spanId: hex(SPAN), reason: expect.stringMatching(reason) },
      ]);
    },
  );

  it('a value has no limit of its own', () => {
    const values = [textAttribute('a', 'é'.repeat(500)), { key: 'b', value: { bytesValue: new Uint8Array(500) } }];
    const body = tracesBody(encoding, [hexInJson(encoding)(withAttributes(...values))]);
    expect(readRequest(body, encoding, 'traces', LIMITS)).toMatchObject({ items: [{ index: 0 }], rejected: [] });
  });

  it('what is wrong with a resource is said of each of its items, and of no others', () => {
    const resource = { attributes: [textAttribute('a'), textAttribute('b'), textAttribute('c')] };
    const group = (own: object) => ({
      resource: own,
      scopeSpans: [{ spans: [{ traceId: hex(TRACE), spanId: hex(SPAN) }] }],
    });
    const bodies = {
      json: jsonBody({ resourceSpans: [group({}), group(resource), group({})] }),
      protobuf: Uint8Array.from([{}, resource, {}].flatMap((own) => [...tracesBody('protobuf', [{}], own)])),
    };
    const { items, rejected } = readRequest(bodies[encoding], encoding, 'traces', LIMITS);
    expect(items.map(({ index }) => index)).toEqual([0, 2]);
    expect(rejected).toMatchObject([{ index: 1, reason: 'in its resource, more than 2 attributes in one list' }]);
  });

  it('a request beyond the limit of items or values is refused, and one at it is not', () => {
    const body = tracesBody(
      encoding,
      Array.from({ length: 4 }, () => withAttributes(textAttribute('a'))),
    );
    expect(readRequest(body, encoding, 'traces', { ...LIMITS, itemsMax: 4, valuesMax: 4 }).items).toHaveLength(4);
    expectRefused(() => readRequest(body, encoding, 'traces', { ...LIMITS, itemsMax: 3 }), 'too_many_items');
    expectRefused(() => readRequest(body, encoding, 'traces', { ...LIMITS, valuesMax: 3 }), 'too_many_values');
  });
});

/** The default limits but for the counts, so that a bomb can be a small one. */
const FEW: OtlpLimits = { ...OTLP_LIMITS, itemsMax: 1000, valuesMax: 10_000 };

describe('a bomb', () => {
  it.each(['protobuf', 'json'] as const)('of levels in %s is refused as one item', (encoding) => {
    const bomb = encoding === 'protobuf' ? nestProtobuf(20_000) : nestJson(OTLP_LIMITS.depthMax + 1);
    const { items, rejected } = readRequest(bomb, encoding, undefined);
    expect(items).toEqual([]);
    expect(rejected).toMatchObject([{ index: 0, reason: expect.stringMatching(/is nested deeper than 32 levels/) }]);
  });

  it.each([
    ['values in JSON', nestJson(50_000), 'json', 'too_deep'],
    ['arrays', utf8('['.repeat(100_000)), 'json', 'too_deep'],
    ['objects behind names with escapes', utf8('{"\\u0061":'.repeat(100_000)), 'json', 'too_deep'],
    ['empty objects', utf8(`{"resourceSpans":[${'{},'.repeat(50_000)}{}]}`), 'json', 'too_many_values'],
    ['members', utf8(`{"x":{${Array.from({ length: 20_000 }, (_, n) => `"${n}":0`).join()}}}`), 'json', 'malformed'],
    ['ends', utf8('},'.repeat(100_000)), 'json', 'malformed'],
    ['a string without an end', utf8('"\\'.repeat(1) + '\\\\'.repeat(50_000)), 'json', 'malformed'],
    ['resources', new Uint8Array(10_000).map((_, n) => (n % 2 === 0 ? 0x0a : 0)), 'protobuf', 'too_many_items'],
    ['spans', bytesField(1, bytesField(2, repeat([0x12, 0], 10_000))), 'protobuf', 'too_many_items'],
    ['attributes', inSpan(repeat([0x4a, 0], 20_000)), 'protobuf', 'too_many_values'],
    ['events', inSpan(repeat([0x5a, 0], 20_000)), 'protobuf', 'too_many_values'],
    [
      'elements',
      inSpan(bytesField(9, bytesField(2, bytesField(5, repeat([0x0a, 0], 20_000))))),
      'protobuf',
      'too_many_values',
    ],
    ['a length that is only said', Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07), 'protobuf', 'malformed'],
    ['a length of 2^64 - 1', Uint8Array.of(0x0a, ...new Array<number>(9).fill(0xff), 1), 'protobuf', 'malformed'],
    ['a number without an end', new Uint8Array(100_000).fill(0xff), 'protobuf', 'malformed'],
    ['groups', new Uint8Array(100_000).fill(0x13), 'protobuf', 'malformed'],
  ] as const)('of %s is refused', (_, body, encoding, fault) => {
    expectRefused(() => readRequest(body, encoding, 'traces', FEW), fault);
  });

  it('of digits is one bad number', () => {
    const digits = '9'.repeat(100_000);
    const body = utf8(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":${digits}},{}]}]}]}`);
    expect(readRequest(body, 'json', 'logs')).toMatchObject({ items: [{ index: 1 }], rejected: [{ index: 0 }] });
  });
});

function expectRefused(read: () => unknown, fault: string): void {
  let refusal: unknown;
  try {
    read();
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(OtlpError);
  expect(refusal).toMatchObject({ fault });
}

/** In JSON the bytes of an attribute are base64, and `tracesBody` writes all others in hexadecimal. */
function hexInJson(encoding: OtlpEncoding): (fields: SpanFields) => SpanFields {
  return (fields) => {
    if (encoding === 'protobuf') return fields;
    return JSON.parse(
      JSON.stringify(fields, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
      ),
    );
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function repeat(bytes: readonly number[], count: number): Uint8Array {
  return new Uint8Array(bytes.length * count).map((_, n) => bytes[n % bytes.length] ?? 0);
}

function inSpan(fields: Uint8Array): Uint8Array {
  return bytesField(1, bytesField(2, bytesField(2, fields)));
}

/** Written from the inside, but for what it holds: copied once for each level, it would be gigabytes. */
function nestProtobuf(levels: number): Uint8Array {
  const inmost = bytesField(1, new Uint8Array(0));
  const headers: Uint8Array[] = [];
  let length = inmost.length;
  for (let level = 0; level < levels; level++)
    for (const number of [1, 5]) {
      const header = headerOf(number, length);
      headers.push(header);
      length += header.length;
    }
  const value = Buffer.concat([...headers.reverse(), inmost]);
  const ids = [...bytesField(1, TRACE), ...bytesField(2, SPAN)];
  return inSpan(Uint8Array.from([...ids, ...bytesField(9, bytesField(2, value))]));
}

/** The tag and the length of a field of so many bytes. */
function headerOf(number: number, length: number): Uint8Array {
  const bytes = [(number << 3) | 2];
  for (; length >= 0x80; length >>= 7) bytes.push((length & 0x7f) | 0x80);
  return Uint8Array.of(...bytes, length);
}

function nestJson(levels: number): Uint8Array {
  const value = '{"kvlistValue":{"values":[{"value":'.repeat(levels) + '{}' + '}]}}'.repeat(levels);
  const ids = `"traceId":"${hex(TRACE)}","spanId":"${hex(SPAN)}"`;
  return utf8(`{"resourceSpans":[{"scopeSpans":[{"spans":[{${ids},"attributes":[{"key":"a","value":${value}}]}]}]}]}`);
}
