import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type OutboundCall, OutboundError } from '@answer-evidence/ports';
import { openHttpPeer, openRawPeer, type Peer } from './fixtures/peer.ts';
import { createOutboundHttp } from './outbound-http.ts';

/** As a webhook has it. */
const BYTES_MAX = 64 * 1024;
const TEN_MEGABYTES = 10_000_000;
const OK = 'HTTP/1.1 200 OK\r\n';

const peers: Peer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});
async function keep(opening: Promise<Peer>): Promise<Peer> {
  const peer = await opening;
  peers.push(peer);
  return peer;
}

const outbound = createOutboundHttp({ allowList: new Set(['127.0.0.1:*']) });
const send = ({ port }: Peer, changes: Partial<OutboundCall> = {}, scheme = 'http') =>
  outbound.send({
    ...{ url: `${scheme}://127.0.0.1:${port}/hook`, method: 'POST', body: Buffer.from('{}') },
    ...{ contentType: 'application/json', timeoutMs: 10_000, bytesMax: BYTES_MAX },
    ...changes,
  });
const kindOf = async (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => 'an answer',
    (error: unknown) => (error instanceof OutboundError ? error.kind : String(error)),
  );

describe('a peer that sends others round', () => {
  it.each([301, 302, 303, 307, 308])('by %d to itself, or on and on, is asked once', async (status) => {
    for (const location of ['/hook', '?again', 'http://127.0.0.1/hook', '//127.0.0.1/', '\t', 'x'.repeat(8_000)]) {
      let visits = 0;
      const peer = await keep(
        openHttpPeer((_, res) => {
          visits++;
          res.writeHead(status, { Location: location }).end();
        }),
      );
      const { status: got, headers } = await send(peer);
      expect([got, headers['location'], visits]).toEqual([status, location.trim(), 1]);
      await peer.connectionEnded;
    }
  });

  it('with ten megabytes as well is cut off', async () => {
    const peer = await keep(
      openHttpPeer((_, res) => res.writeHead(302, { Location: '/hook' }).end(Buffer.alloc(TEN_MEGABYTES))),
    );
    expect(await kindOf(send(peer))).toBe('too_large');
    await peer.connectionEnded;
  });
});

describe('ten megabytes', () => {
  it.each<[string, (socket: Socket, body: Buffer) => void]>([
    ['announced', (socket, body) => void socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n`)],
    ['until the end', (socket) => void socket.write(`${OK}\r\n`)],
    [
      'in one chunk',
      (socket, body) => void socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`),
    ],
  ])('%s are cut off', async (_, begin) => {
    const body = Buffer.alloc(TEN_MEGABYTES, 'a');
    const peer = await keep(
      openRawPeer((socket) => {
        begin(socket, body);
        socket.write(body);
      }),
    );
    expect(await kindOf(send(peer))).toBe('too_large');
    await peer.connectionEnded;
  });

  it('behind the two that were announced are not read, and the connection ends', async () => {
    const body = Buffer.alloc(TEN_MEGABYTES, 'a');
    const peer = await keep(
      openRawPeer((socket) => {
        socket.write(`${OK}Content-Length: 2\r\n\r\n`);
        socket.write(body);
      }),
    );
    // What is behind may come with the answer, or when it was read already.
    expect(['an answer', 'malformed']).toContain(await kindOf(send(peer)));
    await peer.connectionEnded;
  });

  it('that are few bytes when they are compressed stay so', async () => {
    const compressed = gzipSync(Buffer.alloc(TEN_MEGABYTES));
    const peer = await keep(
      openHttpPeer((_, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(compressed)),
    );
    expect((await send(peer)).body.byteLength).toBe(compressed.length);
  });

  it.each([
    ['extensions of a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n1;`],
    ['trailers', `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Trailer: `],
    ['the words of a status', 'HTTP/1.1 200 '],
  ])('of %s are cut off', async (_, begin) => {
    const peer = await keep(openRawPeer((socket) => void socket.write(begin + 'a'.repeat(TEN_MEGABYTES))));
    expect(['too_large', 'malformed']).toContain(await kindOf(send(peer)));
    await peer.connectionEnded;
  });
});

describe('a peer has one time for everything, though it', () => {
  const whole = { timeoutMs: 300 };
  const dripping = (begin: string, drip: string) => (socket: Socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(drip), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it.each([
    ['drips the words of its status', dripping('HTTP/1.1 200 ', 'x')],
    ['drips empty lines before an answer', dripping('', '\r\n')],
    ['drips chunks', dripping(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n')],
    ['drips the size of a chunk', dripping(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '0')],
    ['drips trailers', dripping(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X: y\r\n')],
    ['drips a body whose end it does not announce', dripping(`${OK}\r\n`, 'a')],
    ['redirects and drips', dripping('HTTP/1.1 302 Found\r\nLocation: /hook\r\nContent-Length: 900\r\n\r\n', 'a')],
  ])('%s', async (_, speak) => {
    const peer = await keep(openRawPeer(speak));
    expect(await kindOf(send(peer, whole))).toBe('timed_out');
    await peer.connectionEnded;
  });

  it('takes the connection and never speaks TLS', async () => {
    const peer = await keep(openRawPeer(() => undefined));
    expect(await kindOf(send(peer, whole, 'https'))).toBe('timed_out');
    await peer.connectionEnded;
  });

  it('does not read what it is sent', async () => {
    const peer = await keep(openRawPeer((socket) => void socket.pause()));
    expect(await kindOf(send(peer, { ...whole, body: Buffer.alloc(64 * 1024 * 1024) }))).toBe('timed_out');
  });
});
