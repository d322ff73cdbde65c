import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { formatRefusal } from './format-refusal.ts';
import { formatGoAway } from './go-away.ts';
import { type ConnectionGuard, guardConnections } from './guard-connections.ts';

/** Limits in time; the defaults are for serving behind a proxy whose idle connections end after 60 s. */
export type ServerTimeouts = {
  /** Until the headers are whole. */
  readonly headersMs: number;
  /** Until the request with its body is whole, and a reply is taken; large ones get more (`guardConnections`). */
  readonly requestMs: number;
  /** How fast a body must come, or a reply be taken, that needs longer than that. */
  readonly bytesPerSecondMin: number;
  /** How long a reply may wait for its reader without a byte being taken. */
  readonly stallMs: number;
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number;
  /** How often the first two, and slow readers, are looked for. */
  readonly checkMs: number;
  /** How long `close` waits for requests in progress. */
  readonly closeMs: number;
};

const DEFAULT_TIMEOUTS: ServerTimeouts = {
  headersMs: 15_000,
  requestMs: 60_000,
  bytesPerSecondMin: 16 * 1024,
  stallMs: 30_000,
  keepAliveMs: 65_000,
  checkMs: 5_000,
  closeMs: 10_000,
};
/** Most connections at once, unless the options say otherwise. */
export const CONNECTIONS_MAX_DEFAULT = 4_096;
/** How long a connection that was refused is read on, so that the refusal is not lost to a reset. */
const LINGER_MS = 2_000;
/** What Node's parser says of the first bytes of HTTP/2. */
const HTTP2_PREFACE = 'HPE_PAUSED_H2_UPGRADE';
const HTTP2_ADVICE = 'this port speaks HTTP/1.1 only';
/** How often connections that have become idle are looked for while closing. */
const CLOSE_POLL_MS = 20;

/** What listens where. Port 0 is any free one. */
export type ServerOptions = {
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
  readonly host: string;
  readonly port: number;
  readonly timeouts?: Partial<ServerTimeouts>;
  readonly connectionsMax?: number;
  /** With it, HTTPS is spoken and nothing else. */
  readonly tls?: TlsPair | undefined;
  /** What a client is told that speaks HTTP/2, such as an exporter of OTLP over gRPC. */
  readonly http2Advice?: string;
};

/** A certificate with its chain, and its key, in PEM. */
export type TlsPair = { readonly cert: Uint8Array; readonly key: Uint8Array };

/** A listening server. */
export type OpenServer = {
  readonly port: number;
  /** Takes another pair for the connections to come, where it speaks TLS. Throws for a pair that does not fit. */
  renew(pair: TlsPair): void;
  /** Stops accepting, lets requests in progress finish within the deadline, then cuts what is left. */
  close(): Promise<void>;
};

/** What TLS is spoken with. RFC 9325: nothing older. */
export function tlsContextOf({ cert, key }: TlsPair): SecureContextOptions {
  return { minVersion: 'TLSv1.2', cert: Buffer.from(cert), key: Buffer.from(key) };
}

/** Throws unless the certificate and the key can be read and belong together. */
export function assertTlsPair(pair: TlsPair): void {
  createSecureContext(tlsContextOf(pair));
}

/** Listens. Rejects with the system's error, whose `code` is for example `EADDRINUSE`. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const settings = {
    headersTimeout: timeouts.headersMs,
    // The guard does this, with more time for what is large.
    requestTimeout: 0,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // Refused by the handler, which gives the refusal the headers of every reply.
    requireHostHeader: false,
  };
  // A handshake is no request yet: closing waits for it, and so it may not take longer than that.
  const tlsSettings = { ...settings, handshakeTimeout: timeouts.closeMs };
  const secure =
    options.tls === undefined
      ? undefined
      : createTlsServer({ ...tlsSettings, ...tlsContextOf(options.tls) }, options.handler);
  const server = secure ?? createServer(settings, options.handler);
  // `Expect: 100-continue` is answered by anyone who reads the body, after the request was admitted.
  server.on('checkContinue', options.handler);
  server.on('checkExpectation', options.handler);
  const connectionsMax = options.connectionsMax ?? CONNECTIONS_MAX_DEFAULT;
  const guard = guardConnections(server, { ...timeouts, connectionsMax }, (socket) => {
    refuse('ERR_HTTP_REQUEST_TIMEOUT', socket);
  });
  function refuse(code: string | undefined, socket: Socket): void {
    if (code === HTTP2_PREFACE) refuseConnection(socket, formatGoAway(options.http2Advice ?? HTTP2_ADVICE));
    else refuseConnection(socket, guard.owesReply(socket) ? '' : formatRefusal(code));
  }
  // RFC 9110 section 9.3.6: for proxies. Without a listener, Node closes the connection without a word.
  server.on('connect', (_, socket) => refuse('CONNECT', socket as Socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error.code, socket as Socket));
  try {
    const port = await listen(server, options);
    return {
      port,
      renew: (pair) => secure?.setSecureContext(tlsContextOf(pair)),
      close: () => closeServer(server, guard, timeouts.closeMs),
    };
  } catch (error) {
    guard.stop();
    throw error;
  }
}

function listen(server: Server, { host, port }: ServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Ends a connection with these last words. */
function refuseConnection(socket: Socket, words: string | Uint8Array): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(words);
  // Anyone who does not close their side would keep the connection for as long as they like.
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
}

async function closeServer(server: Server, guard: ConnectionGuard, closeMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose request ends now would be kept alive for another one; nothing tells when it becomes idle. An
  // unused one gets the first interval, in which a request that has already arrived is still read.
  const poll = setInterval(() => {
    server.closeIdleConnections();
    guard.closeUnused();
  }, CLOSE_POLL_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), closeMs);
  try {
    await closed;
  } finally {
    clearInterval(poll);
    clearTimeout(deadline);
    guard.stop();
  }
}
