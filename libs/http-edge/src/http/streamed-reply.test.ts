import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { ServiceError } from '@answer-evidence/contracts';
import { defineRoute, type RouteReply } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { openRaw } from '../fixtures/send-raw.ts';

const PIECE = new Uint8Array(64 * 1024).fill(120);

/** Pieces taken, and whether the source was closed, by the latest request. */
let taken = 0;
let closed = 0;

async function* pieces(count: number, failure?: Error): AsyncGenerator<Uint8Array> {
  taken = 0;
  try {
    for (; taken < count; taken++) yield await Promise.resolve(PIECE);
    if (failure !== undefined) throw failure;
  } finally {
    closed++;
  }
}

const contentType = 'application/octet-stream';
const replies: Readonly<Record<string, () => RouteReply>> = {
  known: () => ({ status: 200, contentType, stream: { bytes: pieces(3), sizeBytes: 3 * PIECE.length } }),
  unknown: () => ({ status: 206, contentType, headers: { ETag: '"a"' }, stream: { bytes: pieces(3) } }),
  empty: () => ({ status: 200, contentType, stream: { bytes: pieces(0), sizeBytes: 0 } }),
  short: () => ({ status: 200, contentType, stream: { bytes: pieces(2), sizeBytes: 3 * PIECE.length } }),
  long: () => ({ status: 200, contentType, stream: { bytes: pieces(4), sizeBytes: 3 * PIECE.length } }),
  endless: () => ({ status: 200, contentType, stream: { bytes: pieces(1_000_000) } }),
  away: () => ({
    status: 200,
    contentType,
    stream: { bytes: pieces(0, new ServiceError('object_store_unavailable', 'away')), sizeBytes: 9 },
  }),
  'ends badly': () => ({
    status: 200,
    contentType,
    stream: { bytes: pieces(3, new Error('torn')), sizeBytes: 3 * PIECE.length },
  }),
  breaks: () => ({ status: 200, contentType, stream: { bytes: pieces(2, new Error('torn')) } }),
};

const route = defineRoute({
  method: 'GET',
  path: '/streams/{id}',
  operationId: 'getStream',
  summary: 'Stream',
  access: 'public',
  params: z.strictObject({ id: z.string() }),
  responses: {
    200: { description: 'The bytes.', contentType: '*/*' },
    206: { description: 'Some of them.', contentType, headers: { ETag: 'A tag' } },
  },
  handle: ({ params }) => Promise.resolve(replies[params.id]?.() ?? { status: 200, contentType, body: '' }),
});

const undocumented: string[] = [];
let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([route], { onUndocumented: (fault) => undocumented.push(fault) });
});
afterAll(() => edge.close());

describe('a reply that is streamed', () => {
  it('has its length where that is known, and comes in chunks where it is not', async () => {
    const known = await edge.send('/streams/known');
    expect(known.headers.get('content-length')).toBe(String(3 * PIECE.length));
    expect(known.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await known.arrayBuffer()).equals(Buffer.alloc(3 * PIECE.length, 'x'))).toBe(true);
    const unknown = await edge.send('/streams/unknown');
    expect([unknown.status, unknown.headers.get('transfer-encoding'), unknown.headers.get('etag')]).toEqual([
      206,
      'chunked',
      '"a"',
    ]);
    expect((await unknown.arrayBuffer()).byteLength).toBe(3 * PIECE.length);
    expect((await (await edge.send('/streams/empty')).arrayBuffer()).byteLength).toBe(0);
    expect(undocumented).toEqual([]);
  });

  it('is not read for HEAD', async () => {
    taken = -1;
    const reply = await edge.send('/streams/known', { method: 'HEAD' });
    expect([reply.status, reply.headers.get('content-length')]).toEqual([200, String(3 * PIECE.length)]);
    expect(taken).toBe(-1);
  });

  it('that fails before its first piece is a problem like any other', async () => {
    const reply = await edge.send('/streams/away');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await reply.json()).toMatchObject({ code: 'object_store_unavailable' });
  });

  it.each(['short', 'long', 'breaks', 'ends badly'])(
    'that goes wrong later (%s) is cut, and never looks whole',
    async (id) => {
      const before = closed;
      await expect(
        edge.send(`/streams/${encodeURIComponent(id)}`).then((reply) => reply.arrayBuffer()),
      ).rejects.toThrow();
      expect(closed).toBe(before + 1);
      expect(await edge.logs.find('"status":500')).toContain('"level":"error"');
    },
  );

  it('is read no faster than it is taken, and no further when its reader leaves', async () => {
    const before = closed;
    const raw = await openRaw(edge.port);
    raw.socket.pause();
    raw.socket.write('GET /streams/endless HTTP/1.1\r\nHost: a\r\n\r\n');
    // As much as the buffers of the system take, which is far less than the content.
    let last = -1;
    while (taken !== last || taken === 0) {
      last = taken;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(taken * PIECE.length).toBeLessThan(64 * 1024 * 1024);
    raw.socket.destroy();
    await edge.logs.find('"status":499');
    expect(closed).toBe(before + 1);
  });
});
