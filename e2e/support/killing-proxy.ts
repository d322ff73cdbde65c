import { request as send, type ServerResponse } from 'node:http';
import { listen, type ListeningServer } from '@answer-evidence/testing';

/** Where a request is on its way through. */
export type Passage = 'asked' | 'answered';

/** What is answered in the peer's place. Without it the connection is cut. */
export type Instead = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

/** A proxy before one peer. It can strike before the peer is asked, or after its reply and before the caller has it. */
export type KillingProxy = ListeningServer & {
  /** Calls `strike` once, at the next passage of this kind; what passes then goes no further. */
  arm(passage: Passage, strike: () => Instead | void): void;
};

/** Opens it on a free loopback port; a path in `targetUrl` is put before the path of each request. */
export async function openKillingProxy(targetUrl: string): Promise<KillingProxy> {
  let armed: { readonly passage: Passage; readonly strike: () => Instead | void } | undefined;
  function strikes(passage: Passage, reply: ServerResponse): boolean {
    if (armed?.passage !== passage) return false;
    const { strike } = armed;
    armed = undefined;
    const instead = strike();
    if (instead === undefined) reply.destroy();
    else reply.writeHead(instead.status, instead.headers).end();
    return true;
  }
  const server = await listen((incoming, reply) => {
    const body: Buffer[] = [];
    incoming.on('data', (part: Buffer) => body.push(part));
    incoming.on('end', () => {
      if (strikes('asked', reply)) return;
      const url = targetUrl.replace(/\/$/, '') + (incoming.url ?? '/');
      const { host: _host, connection: _connection, ...headers } = incoming.headers;
      const outgoing = send(url, { method: incoming.method ?? 'GET', headers }, (answer) => {
        const answered: Buffer[] = [];
        answer.on('data', (part: Buffer) => answered.push(part));
        answer.on('end', () => {
          if (strikes('answered', reply)) return;
          const { 'transfer-encoding': _chunked, connection: _closed, ...kept } = answer.headers;
          reply.writeHead(answer.statusCode ?? 502, kept).end(Buffer.concat(answered));
        });
      });
      outgoing.on('error', () => reply.destroy());
      outgoing.end(Buffer.concat(body));
    });
  });
  return { ...server, arm: (passage, strike) => (armed = { passage, strike }) };
}
