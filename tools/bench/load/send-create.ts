import { connect, type Socket } from 'node:net';
import * as z from 'zod';

/** Sends one create and resolves when its answer is whole. Rejects with `RefusedError` unless that is a 201. */
export type SendCreate = (body: string) => Promise<void>;

/** A create was answered with something else than 201; the message says what was refused. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, problem: string) {
    super(`a create was answered with ${status}: ${problem}`);
    this.name = 'RefusedError';
    this.status = status;
  }
}

type Sent = { readonly request: string; readonly resolve: () => void; readonly reject: (error: Error) => void };

/**
 * A sender on at most so many connections, which are kept; requests beyond them wait their turn. It writes and reads
 * sockets itself: Node's HTTP client takes as long for a request as the service does, on the same cores.
 */
export function createSender(url: string, token: string, connections: number): SendCreate {
  const { hostname, port, pathname, host } = new URL(url);
  const head =
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n` +
    'Content-Type: application/json\r\nContent-Length: ';
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
      socket.write(next.request);
    };
    readAnswers(socket, (status, answer) => {
      if (status === 201) sent.resolve();
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
      const sent = { request: `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`, resolve, reject };
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
 * Reads the answers on a connection, all of which announce their length, and tells the status of each whole one, with
 * its text for anyone who asks for it at once.
 */
function readAnswers(socket: Socket, onAnswer: (status: number, answer: () => string) => void): void {
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
    onAnswer(Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), () =>
      whole.toString('utf8', headEnd + HEAD_END.length),
    );
  });
}
