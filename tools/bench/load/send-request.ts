import { connect, type Socket } from 'node:net';
import * as z from 'zod';

/** A kind of request: what is sent, and which answer, with a body of so many bytes, says that all of it was taken. */
type RequestKind = {
  readonly contentType: string;
  readonly isTaken: (status: number, sizeBytes: number) => boolean;
};

export const CREATE: RequestKind = { contentType: 'application/json', isTaken: (status) => status === 201 };

/** A partial success would have a body (OTLP specification, "OTLP/HTTP Response"). */
export const SPANS: RequestKind = {
  contentType: 'application/x-protobuf',
  isTaken: (status, sizeBytes) => status === 200 && sizeBytes === 0,
};

/** Sends one request and resolves when its answer is whole. Rejects with `RefusedError` unless that took it. */
export type Send = (body: string | Uint8Array) => Promise<void>;

/** A request was not taken; the message says what was refused. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, problem: string) {
    super(`a request was answered with ${status}: ${problem}`);
    this.name = 'RefusedError';
    this.status = status;
  }
}

type Sent = {
  readonly body: string | Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

/**
 * A sender on at most so many connections, which are kept; requests beyond them wait their turn. It writes and reads
 * sockets itself: Node's HTTP client takes as long for a request as the service does, on the same cores.
 */
export function createSender(url: string, token: string, kind: RequestKind, connections: number): Send {
  const { hostname, port, pathname, host } = new URL(url);
  const head =
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: ${kind.contentType}\r\nContent-Length: `;
  const waiting: Sent[] = [];
  const idle: ((sent: Sent) => void)[] = [];
  let opened = 0;

  function open(first: Sent): void {
    opened += 1;
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let sent = first;
    const send = (next: Sent) => {
      sent = next;
      const { body } = next;
      // In one piece, which one system call writes.
      if (typeof body === 'string') socket.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
      else {
        socket.cork();
        socket.write(`${head}${body.byteLength}\r\n\r\n`, 'latin1');
        socket.write(body);
        socket.uncork();
      }
    };
    readAnswers(socket, (status, sizeBytes, answer) => {
      if (kind.isTaken(status, sizeBytes)) sent.resolve();
      else sent.reject(new RefusedError(status, describeProblem(answer())));
      const next = waiting.shift();
      if (next === undefined) idle.push(send);
      else send(next);
    });
    socket.once('error', (error) => sent.reject(error));
    socket.once('close', () => {
      opened -= 1;
      // The service closes what was not used for a while.
      if (idle.includes(send)) idle.splice(idle.indexOf(send), 1);
      sent.reject(new Error('the service closed a connection'));
    });
    send(first);
  }

  return (body) =>
    new Promise((resolve, reject) => {
      const sent = { body, resolve, reject };
      const send = idle.pop();
      if (send !== undefined) send(sent);
      else if (opened < connections) open(sent);
      else waiting.push(sent);
    });
}

const problem = z.object({ code: z.string(), detail: z.string() });
const HEAD_END = Buffer.from('\r\n\r\n');

/** The code and the sentence of a refusal; the beginning of an answer that is no problem. */
function describeProblem(body: string): string {
  try {
    const { code, detail } = problem.parse(JSON.parse(body));
    return `${code}, ${detail}`;
  } catch {
    return body.slice(0, 200);
  }
}

/**
 * Reads the answers on a connection, all of which announce their length, and tells the status and the size of each
 * whole one, with its text for anyone who asks for it at once.
 */
function readAnswers(
  socket: Socket,
  onAnswer: (status: number, sizeBytes: number, answer: () => string) => void,
): void {
  let held: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const headEnd = held.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = held.toString('latin1', 0, headEnd);
    const sizeBytes = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1]);
    if (!Number.isInteger(sizeBytes)) {
      socket.destroy(new Error(`an answer announces no length: ${head.split('\r\n')[0]}`));
      return;
    }
    if (held.length < headEnd + HEAD_END.length + sizeBytes) return;
    const whole = held;
    // One request at a time, so nothing follows.
    held = Buffer.alloc(0);
    onAnswer(Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), sizeBytes, () =>
      whole.toString('utf8', headEnd + HEAD_END.length),
    );
  });
}
