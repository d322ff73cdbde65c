import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Server as TlsServer } from 'node:tls';
import { closeLongestIdle, isCrowded } from './make-room.ts';

/** What one server takes from its clients' connections. */
type ConnectionLimits = {
  /** Most connections at once; beyond, a new one is closed at once. */
  readonly connectionsMax: number;
  /** Until a request with its body is whole, and a reply is taken; large ones get more by `bytesPerSecondMin`. */
  readonly requestMs: number;
  /** How fast what needs more than `requestMs` must come or be taken. */
  readonly bytesPerSecondMin: number;
  /** How long a reply may wait for its reader without a byte being taken. */
  readonly stallMs: number;
  /** How often slow connections are looked for. */
  readonly checkMs: number;
};

/** A guard at work. */
export type ConnectionGuard = {
  /** Closes the connections that have carried no request yet, or are in a handshake; Node calls none of them idle. */
  closeUnused(): void;
  /** Whether a whole request or a begun reply is next on a connection: nothing may then be written between. */
  owesReply(socket: Socket): boolean;
  stop(): void;
};

/** A connection and the last request on it. */
type Guarded = {
  /** When the connection or the last request on it began, or when its body last waited for us. */
  sinceMs: number;
  req: IncomingMessage | undefined;
  res: ServerResponse | undefined;
  /** Replies to earlier requests of the connection that may still be in progress, in order (pipelining). */
  readonly earlier: ServerResponse[];
  bytesRead: number;
  bytesWritten: number;
  /** Since when its reply was always seen to wait for the reader. */
  replySinceMs: number | undefined;
};

/**
 * Cuts connections that hold the server up: bodies that trickle (`onSlowRequest` answers them), readers that do not
 * read, and idle ones when there are too many. A handler may take as long as it likes. Starts at once, and stops with
 * `stop`.
 */
export function guardConnections(
  server: Server,
  limits: ConnectionLimits,
  onSlowRequest: (socket: Socket) => void,
): ConnectionGuard {
  const guarded = new Map<Socket, Guarded>();
  const handshaking = trackHandshakes(server);
  server.maxConnections = limits.connectionsMax;
  server.timeout = limits.stallMs;

  // With TLS, requests come over the socket that a handshake makes of a connection.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (isCrowded(guarded.size, limits.connectionsMax)) makeRoom();
    const sinceMs = performance.now();
    guarded.set(socket, {
      sinceMs,
      req: undefined,
      res: undefined,
      earlier: [],
      bytesRead: 0,
      bytesWritten: 0,
      replySinceMs: undefined,
    });
    socket.once('close', () => guarded.delete(socket));
  });
  server.on('drop', makeRoom);
  function begin(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    const state = guarded.get(socket);
    if (state === undefined) return;
    if (state.res !== undefined && isOpen(state.res)) state.earlier.push(state.res);
    dropEnded(state.earlier);
    state.sinceMs = performance.now();
    state.req = req;
    state.res = res;
    state.bytesRead = socket.bytesRead;
    state.bytesWritten = socket.bytesWritten;
    state.replySinceMs = undefined;
  }
  server.prependListener('request', begin);
  server.prependListener('checkContinue', begin);
  server.prependListener('checkExpectation', begin);

  // Nothing was read or written for the idle time of the moment: `keepAliveMs` between requests, else `stallMs`. Node
  // has already looked whether a large write moves on.
  server.on('timeout', (socket: Socket) => {
    const state = guarded.get(socket);
    if (state === undefined || isIdle(state) || isWaitingForReader(state, socket)) socket.destroy();
  });

  function makeRoom(): void {
    const idle = [...guarded].filter(([, state]) => isIdle(state));
    closeLongestIdle(
      idle.map(([socket, { sinceMs }]) => ({ sinceMs, close: () => socket.destroy() })),
      limits.connectionsMax,
    );
  }

  function sweep(): void {
    const nowMs = performance.now();
    for (const [socket, state] of guarded) {
      if (isIdle(state)) continue;
      const late = (sinceMs: number, bytes: number) =>
        nowMs - sinceMs > limits.requestMs + (bytes * 1_000) / limits.bytesPerSecondMin;
      if (state.req?.complete === false && state.res?.headersSent !== true) {
        if (state.req.readableLength > 0) {
          // What has come is not taken yet: it is not the sender who takes the time.
          state.sinceMs = nowMs;
          state.bytesRead = socket.bytesRead;
        } else if (late(state.sinceMs, socket.bytesRead - state.bytesRead)) onSlowRequest(socket);
      } else if (isWaitingForReader(state, socket)) {
        state.replySinceMs ??= nowMs;
        if (late(state.replySinceMs, socket.bytesWritten - state.bytesWritten)) socket.destroy();
      } else {
        // The reader has taken everything that there was. How long the rest takes to make is none of their doing.
        state.replySinceMs = undefined;
      }
    }
  }
  const sweeping = setInterval(sweep, limits.checkMs).unref();
  return {
    closeUnused() {
      for (const [socket, { req }] of guarded) if (req === undefined) socket.destroy();
      for (const socket of handshaking.values()) socket.destroy();
    },
    owesReply(socket) {
      const state = guarded.get(socket);
      if (state === undefined) return false;
      dropEnded(state.earlier);
      const { earlier, req, res } = state;
      return earlier.length > 0 || (res !== undefined && isOpen(res) && (req?.complete === true || res.headersSent));
    },
    stop: () => clearInterval(sweeping),
  };
}

/** The connections to a TLS server on which no handshake is done yet, by the address of the client. */
function trackHandshakes(server: Server): ReadonlyMap<string, Socket> {
  const open = new Map<string, Socket>();
  if (!(server instanceof TlsServer)) return open;
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    open.set(key, socket);
    socket.once('close', () => open.get(key) === socket && open.delete(key));
  });
  // This is another object, made of the connection.
  server.on('secureConnection', (socket: Socket) => open.delete(keyOf(socket)));
  return open;
}

/** Whether no request is in hand. */
function isIdle({ res }: Guarded): boolean {
  return res === undefined || !isOpen(res);
}

function isOpen(res: ServerResponse): boolean {
  return !res.writableFinished && !res.destroyed;
}

/** Replies end in the order of their requests. */
function dropEnded(replies: ServerResponse[]): void {
  while (replies[0] !== undefined && !isOpen(replies[0])) replies.shift();
}

/** Whether bytes of a reply are there that the other side has not taken. */
function isWaitingForReader({ res }: Guarded, socket: Socket): boolean {
  return res?.headersSent === true && (socket.writableLength > 0 || res.writableLength > 0);
}
