import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { ServiceError } from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoRoute, replyRoute } from '../fixtures/routes.ts';

const LARGE = { items: Array.from({ length: 300 }, (_, n) => ({ n, text: `ünit ${n}` })) };
const LARGE_TEXT = JSON.stringify(LARGE);
const PIECE = Buffer.from('a line of an export\n'.repeat(2_000));
const CSV = 'text/csv; charset=utf-8';

let closed = 0;
let taken = 0;
let releaseSecond = () => undefined as void;

async function* pieces(count: number, failure?: Error, hold?: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    for (taken = 0; taken < count; taken++) {
      if (taken === 2) await hold;
      yield await Promise.resolve(PIECE);
    }
    if (failure !== undefined) throw failure;
  } finally {
    closed++;
  }
}

const streams: Readonly<Record<string, () => AsyncIterable<Uint8Array>>> = {
  whole: () => pieces(3),
  slow: () => pieces(3, undefined, new Promise((resolve) => (releaseSecond = resolve))),
  away: () => pieces(0, new ServiceError('object_store_unavailable', 'away')),
  torn: () => pieces(2, new Error('torn')),
  endless: () => pieces(1_000_000),
};
const streamRoute = defineRoute({
  method: 'GET',
  path: '/streams/{name}',
  operationId: 'getStream',
  summary: 'Stream',
  access: 'public',
  params: z.strictObject({ name: z.string() }),
  responses: { 200: { description: 'Lines', contentType: 'text/csv' } },
  handle: ({ params }) =>
    Promise.resolve({
      status: 200,
      contentType: CSV,
      stream: { bytes: (streams[params.name] ?? streams.whole ?? (() => pieces(0)))() },
    }),
});

const large = (path: string, headers: Record<string, string> = {}, contentType = 'application/json') =>
  replyRoute(path, { status: 200, body: Buffer.from(LARGE_TEXT), contentType, headers });
const posting: Route = { ...echoRoute, handle: () => Promise.resolve({ status: 200, body: LARGE }) };

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([
    replyRoute('/json', { status: 200, body: LARGE }),
    replyRoute('/small', { status: 200, body: { text: 'x'.repeat(900) } }),
    large('/binary', {}, 'application/octet-stream'),
    large('/strong', { ETag: '"v1"' }),
    large('/weak', { ETag: 'W/"v1"' }),
    large('/kept', { 'Cache-Control': 'public, no-transform' }),
    { ...large('/secret'), compressReplies: false },
    posting,
    { ...posting, path: '/otlp', operationId: 'postOtlp', compressReplies: true },
    streamRoute,
  ]);
});
afterAll(() => edge.close());

type Raw = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

async function open(path: string, accept: string | undefined, method = 'GET'): Promise<IncomingMessage> {
  const headers = {
    authorization: 'Bearer manager',
    ...(accept === undefined ? {} : { 'accept-encoding': accept }),
    ...(method === 'POST' ? { 'content-type': 'application/json', 'content-length': '2' } : {}),
  };
  const sent = request({ port: edge.port, path, method, headers });
  sent.end(method === 'POST' ? '{}' : undefined);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return reply;
}

async function get(path: string, accept?: string, method?: string): Promise<Raw> {
  const reply = await open(path, accept, method);
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: await buffer(reply) };
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
const decode = ({ headers, body }: Raw) =>
  (DECODERS[headers['content-encoding'] ?? ''] ?? ((bytes: Buffer) => bytes))(body);

describe('a large reply', () => {
  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['zstd;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0, *', 'zstd'],
    ['*;q=0.5, zstd;q=0', 'br'],
    ['identity;q=0.5, br', 'br'],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0', undefined],
    ['deflate, compress', undefined],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('for %s is sent as %s', async (accept, coding) => {
    const reply = await get('/json', accept);
    expect([reply.status, reply.headers['content-encoding'], reply.headers.vary]).toEqual([
      200,
      coding,
      'Accept-Encoding',
    ]);
    expect(reply.headers['content-length']).toBe(String(reply.body.byteLength));
    expect(reply.body.byteLength < LARGE_TEXT.length / 2).toBe(coding !== undefined);
    expect(decode(reply).toString()).toBe(LARGE_TEXT);
    const head = await get('/json', accept, 'HEAD');
    expect({ ...head.headers, date: '', 'x-request-id': '' }).toEqual({
      ...reply.headers,
      date: '',
      'x-request-id': '',
    });
    expect(head.body.byteLength).toBe(0);
  });

  it.each([
    ['/small', 'GET', 'Accept-Encoding'],
    ['/binary', 'GET', undefined],
    ['/strong', 'GET', undefined],
    ['/kept', 'GET', undefined],
    ['/secret', 'GET', undefined],
    ['/echo', 'POST', undefined],
    ['/missing', 'GET', undefined],
  ])('stays as it is at %s', async (path, method, vary) => {
    const { headers } = await get(path, 'gzip, br, zstd', method);
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, vary]);
  });

  it('is compressed of a POST whose route says so', async () => {
    const reply = await get('/otlp', 'gzip', 'POST');
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect(decode(reply).toString()).toBe(LARGE_TEXT);
  });

  it('says on 304 what it varies by, and keeps a weak tag in each coding', async () => {
    const headers = { 'if-none-match': 'W/"v1"' };
    const known = await edge.send('/weak', { headers });
    expect([known.status, known.headers.get('vary')]).toEqual([304, 'Accept-Encoding']);
    for (const accept of ['gzip', 'identity']) expect((await get('/weak', accept)).headers.etag).toBe('W/"v1"');
  });
});

describe('a streamed reply', () => {
  it.each(['gzip', 'br', 'zstd', 'identity'])('is whole as %s', async (accept) => {
    const reply = await get('/streams/whole', accept);
    expect(reply.headers['content-encoding']).toBe(accept === 'identity' ? undefined : accept);
    expect([reply.headers['content-length'], reply.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(decode(reply).equals(Buffer.concat([PIECE, PIECE, PIECE]))).toBe(true);
    const head = await get('/streams/whole', accept, 'HEAD');
    expect([head.headers['content-encoding'], head.body.byteLength]).toEqual([reply.headers['content-encoding'], 0]);
  });

  it('comes piece by piece, and does not wait for its end', async () => {
    const reply = await open('/streams/slow', 'gzip');
    const text = reply.pipe(createGunzip());
    const [first] = (await once(text, 'data')) as [Buffer];
    expect(first.toString()).toContain('a line of an export\n');
    releaseSecond();
    expect(first.byteLength + (await buffer(text)).byteLength).toBe(3 * PIECE.byteLength);
  });

  it('that fails before its first piece is a problem, and later is cut', async () => {
    expect(await get('/streams/away', 'zstd')).toMatchObject({
      status: 503,
      headers: { 'content-type': 'application/problem+json' },
    });
    for (const accept of ['zstd', 'br', 'gzip']) {
      const before = closed;
      await expect(get('/streams/torn', accept)).rejects.toThrow('aborted');
      expect(closed).toBe(before + 1);
    }
  });

  it('is read no faster than it is taken, and no further when its reader leaves', async () => {
    const before = closed;
    const reply = await open('/streams/endless', 'gzip');
    reply.pause();
    let last = -1;
    while (taken !== last || taken === 0) {
      last = taken;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    reply.destroy();
    await edge.logs.find('"status":499');
    while (closed === before) await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(before + 1);
  });
});
