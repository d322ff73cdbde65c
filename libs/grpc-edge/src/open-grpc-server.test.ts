import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { call, callRaw, frame, openCalls } from './fixtures/open-calls.ts';

const CONNECTIONS_MAX = 10;
/** A message that is answered when the test says so; every other one is answered at once. */
const SLOW = 'slow';

let calls: Awaited<ReturnType<typeof openCalls>>;
let sockets: Socket[] = [];
let sessions: ClientHttp2Session[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const session of sessions) session.destroy();
  [sockets, sessions] = [[], []];
  await calls.server.close();
});

/** Opens the server, and a call that is not answered before `finish`. */
async function openWithCall(): Promise<{ readonly slow: ReturnType<typeof call>; readonly finish: () => void }> {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  calls = await openCalls({
    connectionsMax: CONNECTIONS_MAX,
    async handle({ body }) {
      if (body instanceof Uint8Array && Buffer.from(body).toString() === SLOW) {
        begin();
        await finished;
      }
      return { status: 200, body };
    },
  });
  const slow = call(calls.port, Buffer.from(SLOW));
  await begun;
  return { slow, finish };
}

async function openSocket(): Promise<Socket> {
  const socket = connect(calls.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** An empty frame of settings, as far as its last byte. */
const BEGUN_SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0]).toString('latin1');

async function openSession(): Promise<void> {
  const session = connectHttp2(`http://127.0.0.1:${calls.port}`).on('error', () => undefined);
  sessions.push(session);
  await once(session, 'remoteSettings');
}

async function statusOverNewConnection(): Promise<unknown> {
  const came = await callRaw(calls.port, { body: frame(Buffer.from('a')) }).catch(() => undefined);
  return came?.headers['grpc-status'];
}

it.each([
  ['that have said nothing', openSocket],
  ['without a call', openSession],
])('connections %s make room for new ones, and those in use do not', async (_, open) => {
  const { slow, finish } = await openWithCall();
  for (let n = 1; n < CONNECTIONS_MAX; n++) await open();
  // Those that came a moment ago are not idle yet.
  while ((await statusOverNewConnection()) !== '0') await setTimeout(50);
  finish();
  expect((await slow).code).toBe(0);
});

it.each([
  ['nothing', ''],
  ['its first letter', 'P'],
  ['the first word of the preface', 'PRI'],
  ['the first line of the preface', 'PRI * HTTP/2.0\r\n'],
  ['the preface without its last byte', PREFACE.slice(0, -1)],
  ['the preface', PREFACE],
  ['the preface and a part of its settings', PREFACE + BEGUN_SETTINGS],
])('a connection that sends %s and no more is ended in time, and its neighbour is not', async (_, bytes) => {
  calls = await openCalls({ prefaceMs: 200 });
  await openSession();
  const socket = await openSocket();
  const ended = once(socket, 'close');
  socket.resume().write(bytes, 'latin1');
  await ended;
  await setTimeout(50);
  expect(sessions[0]?.closed).toBe(false);
  expect((await call(calls.port, Buffer.from('a'))).code).toBe(0);
});

it('a connection whose calls all run out of time stays, and one that goes on breaking calls off is ended', async () => {
  calls = await openCalls();
  const session = connectHttp2(`http://127.0.0.1:${calls.port}`).on('error', () => undefined);
  sessions.push(session);
  await once(session, 'remoteSettings');
  const ended = new Promise((resolve) => session.once('close', resolve));
  const breakOff = async (count: number) => {
    for (let n = 0; n < count && !session.destroyed; n++) {
      session
        .request({ ':method': 'POST', ':path': '/a.B/C' })
        .on('error', () => undefined)
        .close(8);
      if (n % 20 === 0) await setTimeout(1);
    }
  };
  await breakOff(100);
  await new Promise((resolve) => session.ping(resolve));
  expect(session.destroyed).toBe(false);
  await breakOff(400);
  await ended;
  expect(session.destroyed).toBe(true);
});
