import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect as connectHttp2, constants } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Route } from '@answer-evidence/routes';
import { runOpenssl } from '@answer-evidence/testing';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { replyRoute } from '../fixtures/routes.ts';
import { openRaw } from '../fixtures/send-raw.ts';
import { openServer } from './open-server.ts';

const GET = 'GET /slow HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer manager\r\n\r\n';

/** An edge whose one route answers when told to. */
async function openSlowEdge(closeMs: number): Promise<{ edge: OpenEdge; entered: Promise<void>; release: () => void }> {
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const slow: Route = {
    ...replyRoute('/slow', { status: 200 }),
    async handle() {
      entered.resolve();
      await released.promise;
      return { status: 200, body: '"done"' };
    },
  };
  const edge = await openEdge([slow], { timeouts: { closeMs } });
  return { edge, entered: entered.promise, release: () => released.resolve() };
}

describe('a server', () => {
  it('on a port in use rejects with the system’s code', async () => {
    const options = { handler: () => undefined, host: '127.0.0.1' };
    const first = await openServer({ ...options, port: 0 });
    await expect(openServer({ ...options, port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });

  it('closing finishes the request in hand, closes its connection, and takes no other', async () => {
    const { edge, entered, release } = await openSlowEdge(10_000);
    const idle = await openRaw(edge.port);
    const raw = await openRaw(edge.port);
    raw.socket.write(GET);
    await entered;
    const closed = edge.close();
    await idle.toEnd();
    await expect(openRaw(edge.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release();
    expect(await raw.toEnd()).toContain('"done"');
    await closed;
  });

  it('closing does not wait for a handshake that is not finished', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-handshake-'));
    await runOpenssl(folder, [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=a'],
      ...['-keyout', 'key', '-out', 'cert'],
    ]);
    const [cert, key] = await Promise.all([readFile(join(folder, 'cert')), readFile(join(folder, 'key'))]);
    await rm(folder, { recursive: true });
    // Longer than a test may take.
    const timeouts = { closeMs: 600_000 };
    const options = { handler: () => undefined, host: '127.0.0.1', port: 0, tls: { cert, key }, timeouts };
    const server = await openServer(options);
    const raw = await openRaw(server.port);
    await server.close();
    expect(await raw.toEnd()).toBe('');
  });

  it('closing cuts at the deadline what does not finish', async () => {
    const { edge, entered, release } = await openSlowEdge(50);
    const raw = await openRaw(edge.port);
    raw.socket.write(GET);
    await entered;
    await edge.close();
    expect(await raw.toEnd()).toBe('');
    release();
    await edge.logs.find('"route":"/slow"');
  });

  it('tells a client of HTTP/2 in its own words where to go', async () => {
    const http2Advice = 'OTLP over gRPC is at port 4317';
    const server = await openServer({ handler: () => undefined, host: '127.0.0.1', port: 0, http2Advice });
    const session = connectHttp2(`http://127.0.0.1:${server.port}`).on('error', () => undefined);
    const [code, , words] = (await once(session, 'goaway')) as [number, number, Buffer];
    expect([code, words.toString()]).toEqual([constants.NGHTTP2_HTTP_1_1_REQUIRED, http2Advice]);
    session.destroy();
    await server.close();
  });

  it('can be closed twice', async () => {
    const server = await openServer({ handler: () => undefined, host: '127.0.0.1', port: 0 });
    await server.close();
    await server.close();
  });
});
