import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readTracesRequest } from '@answer-evidence/otlp';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { readToken, type ServiceProcess, startProcess, until } from '../tools/scenery/service-process.ts';
import { downloadAsset, uploadFile } from './support/evidence-client.ts';

/** Submitted in every place that a caller has; no trace may contain it. */
const MARKER = 'xyzzymarker';
const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const CALLERS_TRACE = 'c0ffeec0ffeec0ffeec0ffeec0ffee00';

let dataDir: string;
let database: TestDatabase;
let receiver: Server;
let service: ServiceProcess;
const exported: Buffer[] = [];
const tokens = new Set<unknown>();
const secrets: string[] = [MARKER];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-traces-'));
  database = await openTestDatabase();
  // What a collector does with a request: it takes the bytes, and says that it has.
  receiver = createServer((req, res) => {
    tokens.add(req.headers['x-token']);
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      exported.push(Buffer.concat(pieces));
      res.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  await writeFile(join(dataDir, 'headers'), 'x-token=of%20the%20collector\n');
  service = startProcess({
    dataDir,
    // The variables that every SDK of OpenTelemetry reads are enough.
    environment: {
      DATABASE_URL: database.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS_FILE: join(dataDir, 'headers'),
      SERVICE_OTLP_GRPC_PORT: '0',
    },
  });
  const baseUrl = await service.ready;
  const token = await readToken(dataDir);
  secrets.push(token, new URL(database.url).password, new URL(baseUrl).host);

  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    traceparent: `00-${CALLERS_TRACE}-00f067aa0ba902b7-01`,
    tracestate: `vendor=${MARKER}`,
  };
  const body = { application_key: MARKER, question: { text: MARKER }, answer: { text: `${MARKER} ${MARKER}` } };
  const created = await fetch(`${baseUrl}/api/answer-audit-logs?${MARKER}=${MARKER}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(created.status).toBeGreaterThanOrEqual(400);
  const record = await fetch(`${baseUrl}/api/answer-audit-logs`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(record.status).toBe(201);
  const { id } = (await record.json()) as { readonly id: string };
  secrets.push(id);
  expect((await fetch(`${baseUrl}/api/answer-audit-logs/${id}`, { headers })).status).toBe(200);
  await fetch(`${baseUrl}/${MARKER}`, { headers });
  const uploaded = await uploadFile({ baseUrl, token }, Buffer.from(`${MARKER}\n`));
  expect(uploaded.status).toBe(201);
  secrets.push(uploaded.body.id as string);
  expect((await downloadAsset({ baseUrl, token }, uploaded.body.id as string)).content.toString()).toContain(MARKER);
  await until('the first traces', () => tokens.size > 0);
  await writeFile(join(dataDir, 'headers'), 'x-token=of%20its%20successor\n');
  await until('traces with the new headers', async () => {
    await fetch(`${baseUrl}/api/answer-audit-logs/${id}`, { headers });
    return tokens.has('of its successor');
  });
  const grpcPort = /port (\d+)/.exec(service.stderr.find((line) => line.includes('OTLP over gRPC')) ?? '')?.[1];
  const session = connect(`http://127.0.0.1:${grpcPort}`);
  for (const method of [EXPORT, `/${MARKER}.Service/${MARKER}`]) await callGrpc(session, method, token);
  await new Promise<void>((resolve) => session.close(resolve));
  await service.stop();
}, 60_000);
afterAll(async () => {
  receiver.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends an empty message, and reads the reply to its end. */
async function callGrpc(session: ClientHttp2Session, method: string, token: string): Promise<void> {
  const call = session.request({
    ':method': 'POST',
    ':path': method,
    'content-type': 'application/grpc',
    authorization: `Bearer ${token}`,
    baggage: MARKER,
  });
  call.end(Buffer.alloc(5));
  await new Promise((resolve, reject) => call.on('error', reject).on('close', resolve).resume());
}

function readSpans() {
  return exported.flatMap((bytes) =>
    readTracesRequest(bytes).items.flatMap((item) => (item.kind === 'span' ? [item] : [])),
  );
}

describe('traces of the service', () => {
  it('reach a collector over OTLP, from the request to the statements below it', () => {
    const spans = readSpans();
    // The first of the two was refused, and appended nothing.
    const create = spans.findLast(({ name }) => name === 'POST /api/answer-audit-logs');
    expect(create?.attributes).toContainEqual({ key: 'http.route', value: '/api/answer-audit-logs' });
    const append = spans.find(({ name, traceId }) => name === 'ledger append' && traceId === create?.traceId);
    expect(append).toBeDefined();
    const names = new Set(spans.map(({ name }) => name));
    expect(names).toContain('GET /api/answer-audit-logs/{answer_log_id}');
    expect([...names].filter((name) => name.startsWith('postgres ')).length).toBeGreaterThan(2);
    expect([...names].filter((name) => name.startsWith('job '))).not.toEqual([]);
  });

  it('have spans of calls of gRPC, and of the object store below the requests', () => {
    const spans = readSpans();
    const call = spans.find(({ name }) => name.endsWith(EXPORT));
    expect(call?.attributes).toContainEqual({ key: 'http.response.status_code', value: 200 });
    const put = spans.find(({ name }) => name === 'object_store put');
    const upload = spans.find(({ name }) => name === 'POST /api/evidence-assets');
    expect(put?.traceId).toBe(upload?.traceId);
    const read = spans.find(({ name }) => name === 'object_store read');
    const download = spans.find(({ name }) => name === 'POST /api/evidence-assets/{asset_id}/download');
    expect(read?.traceId).toBe(download?.traceId);
    expect(read).toBeDefined();
  });

  it('contain no text, parameter, token, address or name of a tenant', () => {
    const all = Buffer.concat(exported).toString('latin1');
    for (const secret of secrets) expect(all).not.toContain(secret);
    for (const word of ['demo', 'select ', 'insert into', 'Bearer']) expect(all).not.toContain(word);
  });

  it('are sent with the headers that the settings have for the collector, and with new ones when these change', () => {
    expect([...tokens]).toEqual(['of the collector', 'of its successor']);
  });

  it('are not continued from what a caller sends', () => {
    expect(readSpans().map(({ traceId }) => traceId)).not.toContain(CALLERS_TRACE);
  });
});
