import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createProxiedFetch } from './proxied-fetch.ts';

/** Serves as the proxy, and as the host behind it: of a request without TLS a proxy sees all. */
let proxy: Server;
let url: string;
let seen: { readonly url: string | undefined; readonly headers: IncomingMessage['headers']; readonly body: string }[];
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let connect: (socket: Duplex) => void;

beforeEach(async () => {
  seen = [];
  respond = (_, response) => response.end('yes');
  connect = (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
  proxy = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      seen.push({ url: request.url, headers: request.headers, body: Buffer.concat(pieces).toString() });
      respond(request, response);
    });
  });
  proxy.on('connect', (_, socket: Duplex) => connect(socket));
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => void proxy.close(resolve));
});

/** Of a process with these proxies. */
function open(environment: Readonly<Record<string, string>> = { http_proxy: url, https_proxy: url }): typeof fetch {
  const opened = createProxiedFetch(environment);
  if (opened === undefined) throw new Error('no proxy is named');
  return opened;
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":"ä"}' };

describe('requests through a proxy', () => {
  it('name the whole URL, with the body and the headers that were given', async () => {
    const response = await open()('http://evidence.example:8080/api/x?y=z', POST);
    expect([response.status, await response.text()]).toEqual([200, 'yes']);
    const headers = { host: 'evidence.example:8080', 'content-type': 'application/json', 'content-length': '10' };
    expect(seen).toMatchObject([{ url: 'http://evidence.example:8080/api/x?y=z', body: POST.body, headers }]);
    expect(seen[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('carry the name and password of the URL of the proxy', async () => {
    await open({ http_proxy: url.replace('//', '//ada:p%40ss@') })('http://evidence.example/');
    const authorization = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
    expect(seen[0]?.headers['proxy-authorization']).toBe(authorization);
  });

  it('send a body in pieces', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of ['one ', 'two']) controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'PUT', body, duplex: 'half' };
    expect((await open()('http://evidence.example/', init)).ok).toBe(true);
    expect(seen).toMatchObject([{ body: 'one two', headers: { 'transfer-encoding': 'chunked' } }]);
  });

  it('reject with what the pieces of a body throw', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('no such file')) });
    const init: RequestInit & { duplex: 'half' } = { method: 'PUT', body, duplex: 'half' };
    await expect(open()('http://evidence.example/', init)).rejects.toThrow('no such file');
  });

  it.each([204, 304, 404, 503])('give back status %i', async (status) => {
    respond = (_, response) => response.writeHead(status, { 'retry-after': '7' }).end();
    const response = await open()('http://evidence.example/');
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([status, '7', '']);
  });

  it('follow no redirect', async () => {
    respond = (_, response) => response.writeHead(302, { location: 'http://other.example/' }).end();
    expect((await open()('http://evidence.example/', { redirect: 'manual' })).status).toBe(302);
    await expect(open()('http://evidence.example/', { redirect: 'error' })).rejects.toThrow('redirects');
    expect(seen).toHaveLength(2);
  });

  it('are ended by their signal: before, while the host is silent, in the body, and while a tunnel is made', async () => {
    const timeout = () => AbortSignal.timeout(100);
    const named = { name: 'TimeoutError' };
    const over = AbortSignal.abort(new DOMException('over', 'TimeoutError'));
    await expect(open()('http://evidence.example/', { signal: over })).rejects.toMatchObject(named);
    respond = () => undefined;
    await expect(open()('http://evidence.example/', { signal: timeout() })).rejects.toMatchObject(named);
    respond = (_, response) => response.write('half');
    const response = await open()('http://evidence.example/', { signal: timeout() });
    await expect(response.text()).rejects.toMatchObject(named);
    const left = new Promise<void>((resolve) => {
      connect = (socket) =>
        void socket
          .on('close', resolve)
          .on('end', () => socket.end())
          .resume();
    });
    await expect(open()('https://evidence.example/', { signal: timeout() })).rejects.toMatchObject(named);
    await left;
  });

  it('reject when a response breaks off, and when the connection does', async () => {
    respond = (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    const response = await open()('http://evidence.example/');
    await expect(response.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
    respond = (request) => request.socket.destroy();
    await expect(open()('http://evidence.example/')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('say what the proxy responds when it makes no tunnel', async () => {
    await expect(open()('https://evidence.example/')).rejects.toMatchObject({ code: 'proxy responded 407' });
    expect(seen).toEqual([]);
  });

  it('say that nothing listens at the proxy', async () => {
    const refused = { https_proxy: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
    for (const host of ['http://evidence.example/', 'https://evidence.example/'])
      await expect(open(refused)(host)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('do not go through it to a host of NO_PROXY', async () => {
    const response = await open({ http_proxy: 'http://127.0.0.1:9', no_proxy: '127.0.0.1' })(`${url}/x`, POST);
    expect([response.status, seen[0]?.url]).toEqual([200, '/x']);
  });
});

it('there is nothing to follow where no proxy is named', () => {
  expect(createProxiedFetch({ NO_PROXY: '*', HTTPS_PROXY: '' })).toBeUndefined();
});
