import { describe, expect, it } from '@jest/globals';
import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import protobuf from 'protobufjs';
import { formatExportResponse, formatStatus, type OtlpEncoding, rpcCodeOf, type RpcStatus } from '../index.ts';
import { RESPONSE_MAX_BYTES } from './export-response.ts';

/** What the JavaScript SDK reads a response with. */
const READERS = {
  traces: { protobuf: ProtobufTraceSerializer, json: JsonTraceSerializer, rejected: 'rejectedSpans' },
  logs: { protobuf: ProtobufLogsSerializer, json: JsonLogsSerializer, rejected: 'rejectedLogRecords' },
} as const;
const ENCODINGS: readonly OtlpEncoding[] = ['protobuf', 'json'];

// google/rpc/status.proto and error_details.proto, as far as they are used.
const { root } = protobuf.parse(`
  syntax = "proto3";
  package google;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message FieldViolation { string field = 1; string description = 2; }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
  message RetryInfo { Duration retry_delay = 1; }
  message BadRequest { repeated FieldViolation field_violations = 1; }
`);

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

describe.each(['traces', 'logs'] as const)('the response to %s', (signal) => {
  const { [signal]: readers } = READERS;

  it.each(ENCODINGS)('to all of it says nothing, in %s', (encoding) => {
    expect(textOf(formatExportResponse(signal, encoding))).toBe(encoding === 'json' ? '{}' : '');
    expect(
      readers[encoding].deserializeResponse(formatExportResponse(signal, encoding)).partialSuccess ?? null,
    ).toBeNull();
  });

  it.each(ENCODINGS)('says how many were refused and why, in %s', (encoding) => {
    const message = '300 of 500 were refused: "größer" 🕰';
    const response = readers[encoding].deserializeResponse(
      formatExportResponse(signal, encoding, { rejected: 300, message }),
    );
    const partial = response.partialSuccess as Record<string, unknown>;
    expect(String(partial[readers.rejected])).toBe('300');
    expect(partial['errorMessage']).toBe(message);
  });

  it('has its count as a string in JSON, as 64-bit integers are', () => {
    expect(JSON.parse(textOf(formatExportResponse(signal, 'json', { rejected: 1, message: '' })))).toEqual({
      partialSuccess: { [readers.rejected]: '1' },
    });
  });

  it.each(ENCODINGS)('may be a warning about nothing refused, in %s', (encoding) => {
    const bytes = formatExportResponse(signal, encoding, { rejected: 0, message: 'careful' });
    expect(readers[encoding].deserializeResponse(bytes)).toMatchObject({ partialSuccess: { errorMessage: 'careful' } });
  });

  it.each(ENCODINGS)('keeps within 4 MiB, and within characters, in %s', (encoding) => {
    for (const text of ['\0', '🕰', '"', 'é', '\ud800']) {
      const bytes = formatExportResponse(signal, encoding, { rejected: 1, message: text.repeat(5_000_000) });
      expect(bytes.length).toBeLessThanOrEqual(RESPONSE_MAX_BYTES);
      expect(bytes.length).toBeGreaterThan(100_000);
      const partial = readers[encoding].deserializeResponse(bytes).partialSuccess;
      const message = partial?.errorMessage ?? '';
      expect(message.replaceAll(text.toWellFormed(), '')).toBe('…');
    }
  });
});

describe('a refusal', () => {
  const status: RpcStatus = {
    code: rpcCodeOf(400),
    message: 'the body is not JSON: a value is expected at line 1, column 1',
    violations: [{ field: '/resourceSpans', description: 'must be an array' }],
  };

  it('is a Status with a BadRequest in protobuf', () => {
    const read = root.lookupType('Status').decode(formatStatus(status, 'protobuf')) as unknown as {
      code: number;
      message: string;
      details: { type_url: string; typeUrl: string; value: Uint8Array }[];
    };
    expect(read).toMatchObject({ code: 3, message: status.message });
    expect(read.details).toHaveLength(1);
    expect(read.details[0]?.typeUrl).toBe('type.googleapis.com/google.rpc.BadRequest');
    expect(
      root
        .lookupType('BadRequest')
        .decode(read.details[0]?.value ?? new Uint8Array(0))
        .toJSON(),
    ).toEqual({
      fieldViolations: status.violations,
    });
  });

  it('is the same in JSON', () => {
    expect(JSON.parse(textOf(formatStatus(status, 'json')))).toEqual({
      code: 3,
      message: status.message,
      details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: status.violations }],
    });
  });

  it('says when to come back, in both', () => {
    const later: RpcStatus = { code: 14, message: 'later', retryAfterSeconds: 300 };
    const read = root.lookupType('Status').decode(formatStatus(later, 'protobuf')) as unknown as {
      details: { typeUrl: string; value: Uint8Array }[];
    };
    expect(read.details.map(({ typeUrl }) => typeUrl)).toEqual(['type.googleapis.com/google.rpc.RetryInfo']);
    const info = root.lookupType('RetryInfo').decode(read.details[0]?.value ?? new Uint8Array(0));
    expect(info.toJSON()).toEqual({ retryDelay: { seconds: '300' } });
    expect(JSON.parse(textOf(formatStatus(later, 'json')))).toMatchObject({ details: [{ retryDelay: '300s' }] });
  });

  it('needs no detail', () => {
    expect(JSON.parse(textOf(formatStatus({ code: 14, message: 'later' }, 'json')))).toEqual({
      code: 14,
      message: 'later',
    });
    expect(
      root
        .lookupType('Status')
        .decode(formatStatus({ code: 14, message: 'later' }, 'protobuf'))
        .toJSON(),
    ).toEqual({
      code: 14,
      message: 'later',
    });
  });

  it.each([
    [400, 3],
    [401, 16],
    [403, 7],
    [413, 8],
    [429, 8],
    [500, 13],
    [503, 14],
    [418, 2],
  ])('with the HTTP status %i has the code %i', (http, rpc) => {
    expect(rpcCodeOf(http)).toBe(rpc);
  });
});
