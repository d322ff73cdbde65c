import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp, request, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './errors.ts';
import { readClientOptions } from './options.ts';
import { type FakeService, openFakeService } from './testing/fake-service.ts';

const TIMEOUT_MS = 60_000;
const ANSWERS = 20;
/** Names that only the proxy knows. */
const HOST = 'evidence.invalid';
const PROGRAM = join(import.meta.dirname, 'testing/record-and-end.ts');

let folder: string;
let tls: { readonly key: Buffer; readonly cert: Buffer };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sdk-proxies-'));
  const names = `subjectAltName=DNS:${HOST},DNS:localhost`;
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem', '-subj', `/CN=${HOST}`, '-addext', names];
  execFileSync('openssl', [...args, ...files], { cwd: folder, stdio: 'ignore' });
  tls = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let service: FakeService;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  service = await openFakeService();
  closing.push(() => service.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listen(server: TcpServer) {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy for people with a password, which finds the service under the name of the host. */
async function openProxy(scheme: 'http' | 'https' = 'http') {
  const seen: string[] = [];
  const target = Number(new URL(service.url).port);
  const secure = await listen(createTls(tls, (socket) => connectBoth(socket, connect(target, '127.0.0.1'))));
  const isKnown = (authorization: string | undefined) =>
    authorization === `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
  const forward: RequestListener = (incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    if (!isKnown(incoming.headers['proxy-authorization'])) return void outgoing.writeHead(407).end();
    const { pathname } = new URL(incoming.url ?? '');
    const onward = request({ port: target, method: incoming.method, path: pathname, headers: incoming.headers });
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(onward);
  };
  const server = scheme === 'http' ? createHttp(forward) : createHttps(tls, forward);
  server.on('connect', ({ url, headers }, socket: Duplex) => {
    seen.push(`CONNECT ${url}`);
    if (!isKnown(headers['proxy-authorization'])) return void socket.end('HTTP/1.1 407 Who\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    connectBoth(socket, connect(url?.endsWith(':443') === true ? secure : target, '127.0.0.1'));
  });
  const port = await listen(server);
  return { seen, url: `${scheme}://ada:p%40ss@localhost:${port}` };
}

function connectBoth(a: Duplex, b: Duplex): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const)
    from
      .on('error', () => to.destroy())
      .on('close', () => to.destroy())
      .pipe(to);
}

/** A process that records 20 answers and ends so. */
async function runToEnd(url: string, end: string, env: Readonly<Record<string, string>>) {
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
  const trusted = { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'), ...env };
  const child = spawn(process.execPath, [PROGRAM, url, end], { env: trusted, stdio });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve));
  return { code, stderr };
}

describe('a process behind a proxy', () => {
  it.each([
    ['HTTPS_PROXY', 'https', 'http', 'itself'],
    ['https_proxy', 'https', 'http', 'exit'],
    ['HTTPS_PROXY', 'https', 'https', 'itself'],
    ['HTTP_PROXY', 'http', 'http', 'itself'],
    ['http_proxy', 'http', 'http', 'exit'],
    ['HTTP_PROXY', 'http', 'https', 'itself'],
  ] as const)(
    'that %s names sends all to %s, by %s, to its end: %s',
    async (name, scheme, proxyScheme, end) => {
      const proxy = await openProxy(proxyScheme);
      const shown = await runToEnd(`${scheme}://${HOST}`, end, { [name]: proxy.url });
      expect(shown).toEqual({ code: end === 'exit' ? 3 : 0, stderr: '' });
      expect(service.records.size).toBe(ANSWERS);
      // The process that sends at the end has the fetch of Node, which makes tunnels for everything.
      const [whole, tunnel] = [`POST http://${HOST}/api/answer-audit-logs`, `CONNECT ${HOST}:`];
      expect(proxy.seen).not.toEqual([]);
      for (const one of proxy.seen)
        expect(one).toBe(scheme === 'https' ? `${tunnel}443` : end === 'exit' ? `${tunnel}80` : whole);
    },
    TIMEOUT_MS,
  );

  it(
    'makes no more tunnels than it sends at a time',
    async () => {
      const proxy = await openProxy();
      await runToEnd(`https://${HOST}`, 'itself', { HTTPS_PROXY: proxy.url });
      expect(proxy.seen.length).toBeLessThanOrEqual(4);
    },
    TIMEOUT_MS,
  );

  it(
    'reaches what NO_PROXY lists without it',
    async () => {
      const proxy = await openProxy();
      await runToEnd(service.url, 'itself', { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });
      expect([service.records.size, proxy.seen]).toEqual([ANSWERS, []]);
    },
    TIMEOUT_MS,
  );
});

const OPTIONS = { application: 'support-bot', url: `https://${HOST}`, token: 't' };

describe('the options of a client', () => {
  it('name a variable that is no URL, without its value', () => {
    const read = () => readClientOptions(OPTIONS, { HTTPS_PROXY: 'socks5://ada:secret@proxy.example' });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow('HTTPS_PROXY must be a URL such as http://proxy.example:3128');
  });

  it('come before the environment', () => {
    const own: typeof fetch = () => Promise.reject(new Error('not called'));
    expect(readClientOptions({ ...OPTIONS, fetch: own }, { HTTPS_PROXY: 'socks5://x' }).fetch).toBe(own);
    expect(readClientOptions(OPTIONS, {})).not.toHaveProperty('fetch');
  });
});
