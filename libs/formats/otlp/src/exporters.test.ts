import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { OtlpBatch } from '@answer-evidence/otlp-mapping';
import { type Exporter, EXPORTERS, openExporter } from '@answer-evidence/testing/exporters';
import { formatExportResponse, formatStatus, type OtlpEncoding, readRequest, rpcCodeOf } from './index.ts';

type Answer = (
  encoding: OtlpEncoding,
  batch: OtlpBatch,
) => { readonly status: number; readonly body: Uint8Array; readonly retryAfter?: string };
type Received = { readonly batch: OtlpBatch; readonly headers: IncomingMessage['headers']; readonly path: string };

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close();
});

const MEDIA_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};
const accept: Answer = (encoding, { signal }) => ({ status: 200, body: formatExportResponse(signal, encoding) });
const busy: Answer = (encoding) => ({
  status: 503,
  body: formatStatus({ code: rpcCodeOf(503), message: 'later' }, encoding),
  retryAfter: '0',
});

/** A receiver made of this library alone, which gives its answers in turn and then the last one again. */
async function openReceiver(...answers: readonly Answer[]): Promise<{ endpoint: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const encoding: OtlpEncoding = request.headers['content-type'] === MEDIA_TYPES.json ? 'json' : 'protobuf';
      const whole = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole;
      const batch = readRequest(body, encoding, undefined);
      const answer = answers[Math.min(received.length, answers.length - 1)] ?? accept;
      received.push({ batch, headers: request.headers, path: request.url ?? '' });
      const { status, body: reply, retryAfter } = answer(encoding, batch);
      response.writeHead(status, {
        'Content-Type': MEDIA_TYPES[encoding],
        ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
      });
      response.end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => new Promise((resolve) => server.close(resolve)));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otel`, received };
}

function open(kind: (typeof EXPORTERS)[number], endpoint: string, isCompressed = false): Exporter {
  const exporter = openExporter({
    ...kind,
    endpoint,
    token: 'a-token',
    isCompressed,
    resource: { 'service.name': 'helpdesk' },
  });
  opened.push(() => exporter.close());
  return exporter;
}

describe.each(EXPORTERS)('the exporter of $signal in $encoding', (kind) => {
  it.each([false, true])('is read whole and takes the answer, compressed: %s', async (isCompressed) => {
    const { endpoint, received } = await openReceiver();
    const exporter = open(kind, endpoint, isCompressed);
    const attributes = { question: 'Wie spät? 🕰', count: 3, ratio: 0.5, done: true, parts: ['a', 'b'] };
    const ids = exporter.record(attributes);
    expect(await exporter.flush()).toEqual([{ items: 1, error: undefined }]);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      path: `/otel/v1/${kind.signal}`,
      headers: { authorization: 'Bearer a-token', ...(isCompressed ? { 'content-encoding': 'gzip' } : {}) },
      batch: {
        signal: kind.signal,
        rejected: [],
        items: [
          {
            ...ids,
            scope: { name: 'tests', version: '1.0.0' },
            attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
          },
        ],
      },
    });
    expect(received[0]?.batch.items[0]?.resource.attributes).toEqual([{ key: 'service.name', value: 'helpdesk' }]);
  });

  it('sends the same again after a 503, and no more after a 200', async () => {
    const { endpoint, received } = await openReceiver(busy, busy, accept);
    const exporter = open(kind, endpoint);
    exporter.record({ n: 1 });
    expect(await exporter.flush()).toEqual([{ items: 1, error: undefined }]);
    expect(received).toHaveLength(3);
    expect(received[1]?.batch).toEqual(received[0]?.batch);
    expect(received[2]?.batch).toEqual(received[0]?.batch);
  });

  it('takes a partial success for a success, and sends nothing again', async () => {
    const { endpoint, received } = await openReceiver((encoding, { signal }) => ({
      status: 200,
      body: formatExportResponse(signal, encoding, { rejected: 1, message: 'one was refused' }),
    }));
    const exporter = open(kind, endpoint);
    exporter.record({ n: 1 });
    exporter.record({ n: 2 });
    expect(await exporter.flush()).toEqual([{ items: 2, error: undefined }]);
    expect(received).toHaveLength(1);
  });

  it('gives up at once on a 400', async () => {
    const { endpoint, received } = await openReceiver((encoding) => ({
      status: 400,
      body: formatStatus({ code: rpcCodeOf(400), message: 'no OTLP' }, encoding),
    }));
    const exporter = open(kind, endpoint);
    exporter.record({ n: 1 });
    expect(await exporter.flush()).toMatchObject([{ items: 1, error: { name: 'OTLPExporterError' } }]);
    expect(received).toHaveLength(1);
  });
});
