import { createGzip, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import protobuf from 'protobufjs';
import type { OtlpEncoding } from '@answer-evidence/otlp';
import { createNumbers } from '../libs/formats/otlp/fixtures/numbers.ts';
import { createSdkBatch } from '../libs/formats/otlp/fixtures/sdk-batches.ts';
import { answer, openTestService } from '../tools/scenery/test-service.ts';

const BASE = '/api/answer-audit-logs/otel';
const PATHS = [BASE, `${BASE}/v1/traces`, `${BASE}/v1/logs`] as const;
const MEDIA_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};
const CASES = 150;
const SEED = 20_261_121;

const Status = protobuf
  .parse('syntax = "proto3"; message Status { int32 code = 1; string message = 2; repeated bytes details = 3; }')
  .root.lookupType('Status');

const service = await openTestService();
afterAll(() => service.close());

type Sent = { readonly status: number; readonly type: string | null; readonly body: Uint8Array };

async function send(path: string, encoding: OtlpEncoding, body: Uint8Array, isGzip: boolean): Promise<Sent> {
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.managerToken}`,
      'Content-Type': MEDIA_TYPES[encoding],
      ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
    },
    body: new Uint8Array(body),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

/** Reads a reply as an exporter would. Throws when the encoding is wrong or it is neither a response nor a Status. */
function messageOf({ status, type, body }: Sent, encoding: OtlpEncoding): string {
  expect(type).toMatch(new RegExp(`^${MEDIA_TYPES[encoding]}`));
  if (status === 200) {
    const reader = encoding === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer;
    return reader.deserializeResponse(body).partialSuccess?.errorMessage ?? '';
  }
  const refusal = encoding === 'json' ? JSON.parse(new TextDecoder().decode(body)) : Status.decode(body).toJSON();
  expect(refusal).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  return refusal.message;
}

function damage(bytes: Uint8Array, number: (below: number) => number): Uint8Array {
  const damaged = bytes.slice(0, number(4) === 0 ? number(bytes.length) : bytes.length);
  for (let flips = number(4); flips > 0 && damaged.length > 0; flips--) {
    const at = number(damaged.length);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << number(8));
  }
  return damaged;
}

describe.each(['protobuf', 'json'] as const)('a damaged batch in %s', (encoding) => {
  it.each(['traces', 'logs'] as const)(
    'of %s is taken, refused in part or refused, and answered in its encoding',
    async (signal) => {
      const number = createNumbers(SEED);
      const whole = createSdkBatch(signal, encoding);
      const statuses = new Map<number, number>();
      for (let n = 0; n < CASES; n++) {
        const isGzip = number(3) === 0;
        const damaged = number(2) === 0 && isGzip ? damage(gzipSync(whole), number) : damage(whole, number);
        const body = isGzip && damaged[0] !== 0x1f ? gzipSync(damaged) : damaged;
        const reply = await send(PATHS[number(PATHS.length)] ?? BASE, encoding, body, isGzip);
        const message = messageOf(reply, encoding);
        expect([200, 400]).toContain(reply.status);
        expect(message).not.toMatch(/Wie spät|Zwölf|Grüße/);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      }
      expect([...statuses.keys()].sort()).toEqual([200, 400]);
    },
  );

  it('cannot bring the service down, however it unfolds', async () => {
    const zeros = await deflateZeros(256);
    const bombs = [zeros, gzipSync(new Uint8Array(33 * 1024 * 1024))];
    for (const bomb of bombs) {
      const reply = await send(BASE, encoding, bomb, true);
      expect(reply.status).toBe(413);
      messageOf(reply, encoding);
    }
    const depth = encoding === 'json' ? '['.repeat(100_000) : '\u0013'.repeat(100_000);
    const reply = await send(BASE, encoding, new TextEncoder().encode(depth), false);
    expect(reply.status).toBe(400);
    messageOf(reply, encoding);
  });
});

describe('the service, after all of this', () => {
  it('takes good batches and answers, and said nothing of what was sent', async () => {
    const reply = await send(BASE, 'protobuf', createSdkBatch('traces', 'protobuf'), false);
    expect(reply.status).toBe(200);
    expect((await service.call('POST', '/api/answer-audit-logs', { body: answer('still there?') })).status).toBe(201);
    expect(service.reports.join('\n')).not.toMatch(/Wie spät|Zwölf|Grüße|fatal/);
  });
});

/** So many MiB of zeros, compressed a thousandfold. */
async function deflateZeros(mebibytes: number): Promise<Uint8Array> {
  const gzip = createGzip({ level: 9 });
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => gzip.once('end', resolve));
  const zeros = Buffer.alloc(1024 * 1024);
  for (let n = 0; n < mebibytes; n++) {
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await ended;
  return new Uint8Array(Buffer.concat(parts));
}
