import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendUpstream } from './console-upstream.ts';

const BODY = 'x'.repeat(2 * 1024 * 1024);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Refuses each body at its beginning, and cuts the connection that still brings it. */
const upstream = createServer((incoming, reply) => {
  incoming.once('data', () => {
    reply.writeHead(413, { Connection: 'close' });
    reply.end('too large', () => incoming.socket.destroy());
  });
});
const front = createServer((req, res) => {
  sendUpstream(new URL(urlOf(upstream)), req, res, {}).catch(() => {
    if (!res.headersSent) res.writeHead(503).end();
  });
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  for (const server of [upstream, front]) await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  agent.destroy();
  for (const server of [front, upstream]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

function post(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sending = request(urlOf(front), { agent, method: 'POST' }, (reply) => {
      reply.once('end', () => resolve(reply.statusCode));
      reply.once('error', reject);
      reply.resume();
    });
    sending.once('error', reject);
    sending.end(BODY);
  });
}

describe('a body that the API refuses before it has all of it', () => {
  it('leaves the browser a connection that can be used again', async () => {
    const statuses: unknown[] = [];
    for (let n = 0; n < 20; n++) statuses.push(await post());
    // What the API said is lost where the cut overtakes it.
    expect([413, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
    expect(statuses).toHaveLength(20);
  });
});
