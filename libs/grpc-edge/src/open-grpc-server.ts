import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import {
  closeLongestIdle,
  CONNECTIONS_MAX_DEFAULT,
  isCrowded,
  type OpenServer,
  tlsContextOf,
  type TlsPair,
} from '@answer-evidence/http-edge';
import type { CallHandler } from './serve-call.ts';

/** What listens where. Port 0 is any free one. */
export type GrpcServerOptions = {
  readonly handler: CallHandler;
  readonly host: string;
  readonly port: number;
  readonly connectionsMax?: number;
  /** With it, TLS is spoken and nothing else. */
  readonly tls?: TlsPair | undefined;
  /** How long `close` waits for calls in progress; default 10 s. */
  readonly closeMs?: number;
  /** How long a connection may take to say that it speaks HTTP/2: its preface and settings; default 15 s. */
  readonly prefaceMs?: number;
};

/** How many calls a connection has in hand, and since when that has been so where there are none. */
type Session = { sinceMs: number; calls: number };

const CLOSE_MS_DEFAULT = 10_000;
const PREFACE_MS_DEFAULT = 15_000;
/** How long a connection may carry nothing; a client opens another one when it needs it. */
const IDLE_MS = 300_000;
/** How long a connection that was refused is read on, so that the refusal is not lost to a reset. */
const LINGER_MS = 2_000;
const CALLS_MAX = 100;
/**
 * How many calls a connection may break off at once, and then per second: twice as many as it can have. Each costs the
 * service more than its client.
 */
const [BROKEN_OFF_MAX, BROKEN_OFF_PER_SECOND] = [2 * CALLS_MAX, 33];
const PREFACE = 'PRI * HTTP/2.0';
const HINT = 'this port speaks gRPC only; OTLP over HTTP is at the port of the API\n';

/** Listens for gRPC. Rejects with the system's error, whose `code` is for example `EADDRINUSE`. */
export async function openGrpcServer(options: GrpcServerOptions): Promise<OpenServer> {
  const { closeMs = CLOSE_MS_DEFAULT, prefaceMs = PREFACE_MS_DEFAULT, tls } = options;
  const { connectionsMax = CONNECTIONS_MAX_DEFAULT } = options;
  const sessions = new Map<ServerHttp2Session, Session>();
  /** Connections without their first bytes, and since when. */
  const waiting = new Map<Socket, number>();
  // It never listens: connections are given to it whose first bytes are those of HTTP/2.
  const http2 = createHttp2Server({
    settings: { maxConcurrentStreams: CALLS_MAX, enablePush: false },
    streamResetBurst: BROKEN_OFF_MAX,
    streamResetRate: BROKEN_OFF_PER_SECOND,
  });
  http2.on('stream', options.handler);
  http2.on('sessionError', () => undefined);
  http2.on('session', (session) => {
    const state: Session = { sinceMs: performance.now(), calls: 0 };
    sessions.set(session, state);
    session.once('close', () => sessions.delete(session));
    session.on('stream', (stream) => {
      state.calls += 1;
      stream.once('close', () => {
        state.calls -= 1;
        state.sinceMs = performance.now();
      });
    });
    session.setTimeout(IDLE_MS, () => session.close());
  });

  function makeRoom(): void {
    const sockets = [...waiting].map(([socket, sinceMs]) => ({ sinceMs, close: () => socket.destroy() }));
    const idle = [...sessions].filter(([, { calls }]) => calls === 0);
    const unused = idle.map(([session, { sinceMs }]) => ({ sinceMs, close: () => session.destroy() }));
    closeLongestIdle([...sockets, ...unused], connectionsMax);
  }

  function accept(socket: Socket): void {
    if (isCrowded(waiting.size + sessions.size, connectionsMax)) makeRoom();
    waiting.set(socket, performance.now());
    socket.once('close', () => waiting.delete(socket));
    socket.on('error', () => socket.destroy());
    const cut = setTimeout(() => socket.destroy(), prefaceMs).unref();
    socket.once('close', () => clearTimeout(cut));
    socket.once('data', (first: Buffer) => {
      waiting.delete(socket);
      const begin = first.toString('latin1', 0, PREFACE.length);
      if (!PREFACE.startsWith(begin)) {
        clearTimeout(cut);
        refuse(socket);
        return;
      }
      socket.pause();
      socket.unshift(first);
      // RFC 9113 section 3.4: settings follow the preface. Only they show that all of it has come.
      http2.once('session', (session) => session.once('remoteSettings', () => clearTimeout(cut)));
      http2.emit('connection', socket);
    });
  }

  const secure =
    tls === undefined
      ? undefined
      : createTlsServer({ ...tlsContextOf(tls), ALPNProtocols: ['h2'], handshakeTimeout: closeMs }, accept);
  secure?.on('tlsClientError', (_, socket) => socket.destroy());
  const server = secure ?? createServer(accept);
  server.maxConnections = connectionsMax;
  server.on('drop', makeRoom);
  const port = await listen(server, options);
  return {
    port,
    renew: (pair) => secure?.setSecureContext(tlsContextOf(pair)),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of waiting.keys()) socket.destroy();
      // Each tells its client to go elsewhere, and ends with its last call.
      for (const session of sessions.keys()) session.close();
      const deadline = setTimeout(() => {
        for (const session of sessions.keys()) session.destroy();
      }, closeMs);
      await closed;
      clearTimeout(deadline);
    },
  };
}

/** Tells a client of HTTP/1.1 where it is. */
function refuse(socket: Socket): void {
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n' +
      `Content-Length: ${HINT.length}\r\nConnection: close\r\n\r\n${HINT}`,
  );
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
}

function listen(server: Server | TlsServer, { host, port }: GrpcServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
