import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPathProxy } from './path-proxy.ts';
import type { RoutingTable } from './routing-table.ts';

const BODY = 'x'.repeat(2 * 1024 * 1024);

/** Refuses each body at its beginning, and cuts the connection that still brings it. */
const service = createServer((incoming, reply) => {
  incoming.once('data', () => {
    reply.writeHead(413, { Connection: 'close' });
    reply.end('too large', () => incoming.socket.destroy());
  });
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let proxy: Awaited<ReturnType<typeof openPathProxy>>;

beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const instance = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const table: RoutingTable = { rules: [], otherwise: 'ingest-api' };
  proxy = await openPathProxy({ table, port: 0, instancesOf: () => [instance] });
});

afterAll(async () => {
  agent.destroy();
  await proxy.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

function post(url = proxy.url, body = BODY): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, method: 'POST' }, (reply) => {
      reply.once('end', () => resolve(reply.statusCode));
      reply.once('error', reject);
      reply.resume();
    });
    sending.once('error', reject);
    sending.end(body);
  });
}

it('keeps an idle connection open for longer than its callers do', async () => {
  const reply = await fetch(proxy.url, { method: 'POST', body: 'x' });
  expect([reply.status, reply.headers.get('keep-alive')]).toEqual([413, 'timeout=75']);
});

describe('a body that the service refuses before it has all of it', () => {
  it('leaves the caller a connection that can be used again', async () => {
    const statuses: unknown[] = [];
    for (let n = 0; n < 20; n++) statuses.push(await post());
    // What the service said is lost where the cut overtakes it.
    expect([413, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
    expect(statuses).toHaveLength(20);
  });

  it('does so where the service answers, ends its half and reads no more', async () => {
    const sockets: Socket[] = [];
    const deaf = createTcpServer((socket) => {
      sockets.push(socket);
      socket.once('data', () => {
        socket.pause();
        socket.end('HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 9\r\n\r\ntoo large');
      });
      socket.on('error', () => undefined);
    });
    await once(deaf.listen(0, '127.0.0.1'), 'listening');
    const instance = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
    const table: RoutingTable = { rules: [], otherwise: 'ingest-api' };
    const inFront = await openPathProxy({ table, port: 0, instancesOf: () => [instance] });
    try {
      // What fits into the buffers between the two, and what does not, depends on the system.
      for (const mib of [1, 2, 3, 4, 5, 6])
        for (let n = 0; n < 3; n++) expect(await post(inFront.url, 'x'.repeat(mib * 2 ** 20))).toBe(413);
    } finally {
      for (const socket of sockets) socket.destroy();
      await inFront.close();
      await new Promise((resolve) => deaf.close(resolve));
    }
  });
});
