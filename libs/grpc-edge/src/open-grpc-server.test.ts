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
