import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openRaw, type RawConnection } from '../fixtures/send-raw.ts';
import { type OpenServer, openServer, type ServerOptions } from './open-server.ts';

const MIB = 1024 * 1024;
const LARGE_BYTES = 64 * MIB;
/** More than the buffers of the system take. */
const HALF_BYTES = 16 * MIB;

let server: OpenServer;
let connections: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of connections) socket.destroy();
  connections = [];
  await server.close();
});

type Served = { readonly req: IncomingMessage; readonly res: ServerResponse };

/** Opens a server that answers `/quick` at once; other requests are handed to the test as they come. */
async function open(options: Partial<ServerOptions>): Promise<{ next(): Promise<Served> }> {
  const waiting: ((served: Served) => void)[] = [];
  server = await openServer({
    host: '127.0.0.1',
    port: 0,
    handler: (req, res) => (req.url === '/quick' ? res.end('quick') : waiting.shift()?.({ req, res })),
    ...options,
  });
  return { next: () => new Promise((resolve) => waiting.push(resolve)) };
}

async function connect(options: { readonly allowHalfOpen?: boolean } = {}): Promise<RawConnection> {
  const raw = await openRaw(server.port, options);
  connections.push(raw);
  return raw;
}

/** The status of a request over a connection of its own. */
function quick(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ port: server.port, host: '127.0.0.1', path: '/quick', agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    }).once('error', reject);
  });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const GET = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (length: number) => `POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

describe('a reader', () => {
  it('that never reads is cut, and others are served meanwhile', async () => {
    const { next } = await open({ timeouts: { stallMs: 200, checkMs: 25 } });
    const served = next();
    const raw = await connect();
    raw.socket.pause();
    raw.socket.write(GET);
    const { res } = await served;
    const cut = once(res, 'close');
    res.end(Buffer.alloc(LARGE_BYTES));
    expect(await quick()).toBe(200);
    await cut;
    expect(res.writableFinished).toBe(false);
    expect(await quick()).toBe(200);
  });

  it('that takes too little is cut after its time, however steadily it reads', async () => {
    const { next } = await open({
      timeouts: { requestMs: 300, stallMs: 10_000, checkMs: 25, bytesPerSecondMin: 1024 * MIB },
    });
    const served = next();
    const raw = await connect();
    raw.socket.pause();
    raw.socket.write(GET);
    const { res } = await served;
    const cut = once(res, 'close');
    res.end(Buffer.alloc(LARGE_BYTES));
    const reading = setInterval(() => raw.socket.read(1), 20);
    await cut;
    clearInterval(reading);
    expect(res.writableFinished).toBe(false);
  }, 60_000);

  it('that reads slowly, and moves on, gets all of it', async () => {
    const { next } = await open({ timeouts: { stallMs: 500, checkMs: 25 } });
    const served = next();
    const raw = await connect();
    raw.socket.write(GET.replace('Host: a', 'Host: a\r\nConnection: close'));
    const { res } = await served;
    let received = 0;
    raw.socket.removeAllListeners('data');
    raw.socket.on('data', (chunk: string) => {
      received += chunk.length;
      raw.socket.pause();
      setTimeout(() => raw.socket.resume(), 2);
    });
    res.writeHead(200, { 'Content-Length': 16 * MIB });
    res.end(Buffer.alloc(16 * MIB));
    await once(raw.socket, 'close');
    expect(received).toBeGreaterThan(16 * MIB);
  }, 30_000);

  it('is not cut because the content is made slowly, however often it was seen to wait for the reader', async () => {
    const { next } = await open({ timeouts: { requestMs: 1_500, checkMs: 10, bytesPerSecondMin: 1024 * MIB } });
    const served = next();
    const raw = await connect();
    raw.socket.write(GET.replace('Host: a', 'Host: a\r\nConnection: close'));
    const { res } = await served;
    res.writeHead(200, { 'Content-Length': 2 * HALF_BYTES });
    for (let half = 0; half < 2; half++) {
      raw.socket.pause();
      const taken = once(res, 'drain');
      res.write(Buffer.alloc(HALF_BYTES));
      // Long enough to be seen.
      await pause(100);
      raw.socket.resume();
      await taken;
      if (half === 0) await pause(2_000);
    }
    res.end();
    await once(raw.socket, 'close');
    expect(raw.received().length).toBeGreaterThan(2 * HALF_BYTES);
  }, 30_000);

  it('waits for as long as its answer takes to make', async () => {
    const { next } = await open({ timeouts: { requestMs: 50, stallMs: 50, checkMs: 10 } });
    const served = next();
    const raw = await connect();
    raw.socket.write(GET);
    const { res } = await served;
    await pause(400);
    res.end('at last');
    expect(await raw.receive('at last')).toContain('200 OK');
  });
});

describe('a sender', () => {
  it('whose body trickles gets 408 and is cut, and others are served meanwhile', async () => {
    const { next } = await open({ timeouts: { requestMs: 300, checkMs: 25 } });
    const served = next();
    const raw = await connect({ allowHalfOpen: true });
    raw.socket.write(post(10_000));
    const { req } = await served;
    const cut = new Promise<void>((resolve) => req.once('close', resolve));
    req.on('error', () => undefined).resume();
    const trickling = setInterval(() => raw.socket.write('a'), 20);
    expect(await quick()).toBe(200);
    expect(await raw.receive('Connection: close')).toMatch(/^HTTP\/1\.1 408 /);
    // It goes on sending and never closes its side; that does not keep the connection.
    await cut;
    await raw.toEnd();
    clearInterval(trickling);
  }, 15_000);

  it('of a large body that comes fast enough may take longer than a small one', async () => {
    const { next } = await open({ timeouts: { requestMs: 300, checkMs: 10 } });
    const served = next();
    const raw = await connect();
    const pieces = 10;
    raw.socket.write(post(pieces * 32 * 1024));
    const { req, res } = await served;
    req.resume().once('end', () => res.end('whole'));
    for (let n = 0; n < pieces; n++) {
      raw.socket.write('a'.repeat(32 * 1024));
      await pause(60);
    }
    expect(await raw.receive('whole')).toContain('200 OK');
  });

  it('is not cut because what it has sent is not taken yet, however long that takes', async () => {
    const { next } = await open({ timeouts: { requestMs: 500, checkMs: 10, bytesPerSecondMin: 1024 * MIB } });
    const served = next();
    const raw = await connect();
    raw.socket.write(post(300_000));
    const { req, res } = await served;
    raw.socket.write('a'.repeat(200_000));
    await pause(1_000);
    req.resume().once('end', () => res.end('whole'));
    raw.socket.write('a'.repeat(100_000));
    expect(await raw.receive('whole')).toContain('200 OK');
  });

  it('that never closes its side after a refusal is cut all the same', async () => {
    await open({});
    const raw = await connect({ allowHalfOpen: true });
    raw.socket.write('hello\r\n\r\n');
    await raw.receive('400 Bad Request');
    const sending = setInterval(() => raw.socket.write('more'), 50);
    await raw.toEnd();
    clearInterval(sending);
  }, 15_000);
});

describe('a reply in hand', () => {
  const broken: readonly (readonly [string, string])[] = [
    ['is no HTTP', 'hello\r\n\r\n'],
    ['has headers beyond all measure', `GET /slow HTTP/1.1\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['comes too slowly', post(10_000)],
  ];

  it.each(broken)('holds no word of a refusal when what is sent after its request %s', async (_, sent) => {
    const { next } = await open({ timeouts: { requestMs: 100, checkMs: 10 } });
    const served = next();
    const raw = await connect();
    raw.socket.write(GET);
    const { res } = await served;
    // A refusal would be taken for a part of what is missing.
    res.writeHead(200, { 'Content-Length': 300 });
    res.write('x');
    await raw.receive('\r\n\r\nx');
    raw.socket.write(sent);
    expect(await raw.toEnd()).toMatch(/^HTTP\/1\.1 200 OK[^]*\r\n\r\nx$/);
  });

  it.each(broken)('that has not begun is not the refusal of what is sent after its request and %s', async (_, sent) => {
    const { next } = await open({ timeouts: { requestMs: 100, checkMs: 10 } });
    const served = next();
    const raw = await connect();
    raw.socket.write(GET);
    await served;
    raw.socket.write(sent);
    expect(await raw.toEnd()).toBe('');
  });
});

describe('connections', () => {
  it('that are idle make room for new ones, and those in use do not', async () => {
    const { next } = await open({ connectionsMax: 10 });
    const served = next();
    const busy = await connect();
    busy.socket.write(GET);
    const { res } = await served;
    for (let n = 0; n < 9; n++) await connect();
    let status: number | undefined;
    // Those that came a moment ago are not idle yet.
    while (status !== 200) {
      status = await quick().catch(() => undefined);
      await pause(50);
    }
    res.end('still there');
    expect(await busy.receive('still there')).toContain('200 OK');
  }, 15_000);

  it('beyond the bound are closed at once while all are in use, and those in use are answered', async () => {
    const { next } = await open({ connectionsMax: 3 });
    const answers: ServerResponse[] = [];
    for (let n = 0; n < 3; n++) {
      const served = next();
      (await connect()).socket.write(GET);
      answers.push((await served).res);
    }
    const refused = await connect();
    expect(await refused.toEnd()).toBe('');
    for (const res of answers) res.end('answered');
    for (const raw of connections.slice(0, 3)) expect(await raw.receive('answered')).toContain('200 OK');
  });

  it('between requests are closed after the keep-alive time', async () => {
    await open({ timeouts: { keepAliveMs: 50 } });
    const raw = await connect();
    raw.socket.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await raw.toEnd()).toContain('quick');
  }, 15_000);
});
