import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answer } from '../../scenery/test-service.ts';
import { type Attack, outcomeOf } from '../attack.ts';
import { type Scene, someOf } from '../scene.ts';

const OTLP = '/api/answer-audit-logs/otel/v1/traces';
const OTLP_BODY_MAX = 16 * 1024 * 1024;

/** So many at a time: without rate limits, all at once only shows how many connections the database has. */
const TOGETHER = 20;

async function inTurns(count: number, ask: (n: number) => Promise<Response>): Promise<readonly (number | string)[]> {
  const statuses: (number | string)[] = [];
  for (let n = 0; n < count; n += TOGETHER)
    statuses.push(...(await atOnce(Math.min(TOGETHER, count - n), (more) => ask(n + more))));
  return statuses;
}

async function atOnce(count: number, ask: (n: number) => Promise<Response>): Promise<readonly (number | string)[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      try {
        const reply = await ask(n);
        await reply.arrayBuffer();
        return reply.status;
      } catch {
        return 'closed';
      }
    }),
  );
}

async function openSockets(port: number, count: number, words: string): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    if (words !== '') socket.write(words);
  }
  return sockets;
}

/** Sockets that say so much and no more, for a while. */
function silent(name: string, words: string, portOf: (scene: Scene) => number): Attack {
  return {
    kind: 'floods',
    name,
    probeMsMax: 1_000,
    async run(scene) {
      const sockets = await openSockets(portOf(scene), someOf(scene, 1_000), words);
      await pause(someOf(scene, 3_000));
      const open = sockets.filter(({ closed }) => !closed).length;
      for (const socket of sockets) socket.destroy();
      return { requests: sockets.length, seen: `${open} of them open after 3 s`, breaches: [] };
    },
  };
}

/** OTLP requests that announce much, or nothing, and send a byte a second; meanwhile the others ask. */
function slowBodies(name: string, framing: string, count: number): Attack {
  return {
    kind: 'slow bodies',
    name,
    probeMsMax: 1_000,
    async run(scene) {
      const { port, ours, theirs, call } = scene;
      const head = `POST ${OTLP} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ours.first}\r\nContent-Type: application/x-protobuf\r\n`;
      const sockets = await openSockets(port, count, `${head}${framing}\r\n\r\n`);
      const statuses: (number | string)[] = [];
      for (let n = 0; n < someOf(scene, 20); n++) {
        for (const socket of sockets) socket.write(framing.startsWith('Transfer') ? '1\r\n\u000a\r\n' : '\u000a');
        const headers = { 'Content-Type': 'application/x-protobuf' };
        const [status = 0] = await atOnce(1, () =>
          call('POST', OTLP, { token: theirs.first, headers, body: new Uint8Array() }),
        );
        statuses.push(status);
        await pause(150);
      }
      for (const socket of sockets) socket.destroy();
      const refused = statuses.filter((status) => status !== 200);
      return outcomeOf(
        statuses,
        refused.length === 0 ? [] : [`the other workspace was refused ${refused.length} times`],
      );
    },
  };
}

/** Masses of requests, connections and calls. */
export const FLOOD_ATTACKS: readonly Attack[] = [
  {
    kind: 'floods',
    name: '500 creates at once',
    probeMsMax: 3_000,
    async run(scene) {
      const { call, ours } = scene;
      const body = answer('a flood', 'of answers', { application_key: ours.target.applicationKey });
      const create = () => call('POST', '/api/answer-audit-logs', { token: ours.first, body });
      return outcomeOf(await atOnce(someOf(scene, 500), create));
    },
  },
  {
    kind: 'floods',
    name: '300 sign-ins with wrong passwords at once',
    probeMsMax: 3_000,
    async run(scene) {
      const { call, ours } = scene;
      const sent = (n: number) => ({
        workspace: ours.target.slug,
        username: `nobody-${n % 5}`,
        password: 'wrong password 1',
      });
      const statuses = await atOnce(someOf(scene, 300), (n) => call('POST', '/api/auth/login', { body: sent(n) }));
      return outcomeOf(statuses, statuses.some((status) => status === 200) ? ['signed in'] : []);
    },
  },
  {
    kind: 'floods',
    name: '1,200 sign-ins of devices for workspaces that do not exist, then one that does',
    probeMsMax: 1_000,
    async run(scene) {
      const { call, theirs } = scene;
      const begin = (workspace: string) =>
        call('POST', '/api/auth/device', { body: { workspace, client_name: 'a tool' } });
      const statuses = await inTurns(someOf(scene, 1_200), (n) => begin(`nowhere-${n}`));
      const [honest] = await atOnce(1, () => begin(theirs.target.slug));
      return outcomeOf([...statuses, honest ?? 0], honest === 200 ? [] : [`an honest sign-in was answered ${honest}`]);
    },
  },
  {
    kind: 'floods',
    name: '1,200 sign-ins of devices at once',
    probeMsMax: 3_000,
    async run(scene) {
      const { call, ours } = scene;
      const body = { workspace: ours.target.slug, client_name: 'a tool' };
      const statuses = await atOnce(someOf(scene, 1_200), () => call('POST', '/api/auth/device', { body }));
      const [later] = await atOnce(1, () => call('POST', '/api/auth/device', { body }));
      return outcomeOf([...statuses, later ?? 0], later === 200 ? [] : [`one after it was answered ${later}`]);
    },
  },
  silent('1,000 silent connections', '', ({ port }) => port),
  silent('1,000 connections with half of a request', 'GET /api/whoami HTTP/1.1\r\nHost: a\r\n', ({ port }) => port),
  silent('1,000 connections to gRPC with half of the preface', 'PRI * HTTP/2.0\r\n', ({ grpcPort }) => grpcPort),
  {
    kind: 'floods',
    name: 'rapid reset of 10,000 calls of gRPC',
    probeMsMax: 2_000,
    async run(scene) {
      const calls = someOf(scene, 10_000);
      const session = connectHttp2(`http://127.0.0.1:${scene.grpcPort}`).on('error', () => undefined);
      let sent = 0;
      for (; sent < calls && !session.closed && !session.destroyed; sent++) {
        const stream = session.request({ ':method': 'POST', ':path': '/a.B/C' }).on('error', () => undefined);
        stream.close(8);
        if (sent % 100 === 0) await pause(1);
      }
      const isEnded = session.closed || session.destroyed;
      session.destroy();
      return { requests: sent, seen: isEnded ? 'the connection was ended' : 'all were taken', breaches: [] };
    },
  },
  slowBodies(
    '20 bodies of OTLP that announce 16 MiB and send a byte at a time',
    `Content-Length: ${OTLP_BODY_MAX}`,
    20,
  ),
  slowBodies('20 chunked bodies of OTLP that send a byte at a time', 'Transfer-Encoding: chunked', 20),
  {
    kind: 'slow bodies',
    name: '50 honest chunked exporters at once',
    probeMsMax: 1_000,
    async run(scene) {
      const { call, ours } = scene;
      const pieces = () =>
        new ReadableStream({
          async start(controller) {
            controller.enqueue(new Uint8Array([0x0a]));
            await pause(150);
            controller.enqueue(new Uint8Array([0x00]));
            controller.close();
          },
        });
      const statuses = await atOnce(someOf(scene, 50), () =>
        call('POST', OTLP, {
          token: ours.first,
          headers: { 'Content-Type': 'application/x-protobuf' },
          body: pieces(),
        }),
      );
      return outcomeOf(statuses, statuses.every((status) => status === 200) ? [] : ['an honest exporter was refused']);
    },
  },
];
