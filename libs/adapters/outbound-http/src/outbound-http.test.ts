import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { OutboundRequest } from '@answer-evidence/ports';
import { CERTIFICATE } from './fixtures/certificate.ts';
import { findClosedPort, openHttpPeer, openHttpsPeer, openRawPeer, type Peer } from './fixtures/peer.ts';
import { createOutboundHttp, type OutboundOptions } from './outbound-http.ts';

const peers: Peer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});
async function keep(opening: Promise<Peer>): Promise<Peer> {
  const peer = await opening;
  peers.push(peer);
  return peer;
}

const local: OutboundOptions = {
  allowList: new Set(
    ['127.0.0.1', 'localhost', 'rebinding.example', 'tls.test', 'other.test'].map((host) => `${host}:*`),
  ),
};
const post = (url: string, changes: Partial<OutboundRequest> = {}, options = local) =>
  createOutboundHttp(options).post({
    url,
    body: new TextEncoder().encode('old 0\n\n'),
    contentType: 'text/plain',
    timeoutMs: 10_000,
    bytesMax: 1000,
    ...changes,
  });
const postTo = ({ port }: Peer, changes: Partial<OutboundRequest> = {}) => post(`http://127.0.0.1:${port}/x`, changes);
const failure = (kind: string) => expect.objectContaining({ name: 'OutboundError', kind });

describe('an answer', () => {
  it('is returned as it came: status, type and body, whatever the status', async () => {
    const peer = await keep(
      openHttpPeer((req, res) => {
        const seen: Buffer[] = [];
        req.on('data', (chunk: Buffer) => seen.push(chunk));
        req.on('end', () => {
          res.writeHead(409, { 'Content-Type': 'text/x.tlog.size' });
          const { host, 'content-type': type, 'x-extra': extra } = req.headers;
          res.end(JSON.stringify([req.method, req.url, host, type, extra, Buffer.concat(seen).toString()]));
        });
      }),
    );
    const answer = await post(`http://127.0.0.1:${peer.port}/p?q=1`, { headers: { 'X-Extra': 'e' } });
    expect([answer.status, answer.contentType]).toEqual([409, 'text/x.tlog.size']);
    expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual([
      'POST',
      '/p?q=1',
      `127.0.0.1:${peer.port}`,
      'text/plain',
      'e',
      'old 0\n\n',
    ]);
    await peer.connectionEnded;
  });

  it('that redirects is an answer, and nobody goes there', async () => {
    let visits = 0;
    const target = await keep(openHttpPeer((_, res) => res.end(String(++visits))));
    for (const status of [301, 302, 303, 307, 308]) {
      const Location = `http://127.0.0.1:${target.port}/`;
      const peer = await keep(openHttpPeer((_, res) => res.writeHead(status, { Location }).end()));
      expect((await postTo(peer)).status).toBe(status);
    }
    expect(visits).toBe(0);
  });

  it('may be as large as allowed and no larger, announced or not', async () => {
    const body = 'x'.repeat(1000);
    const sized = await keep(openHttpPeer((_, res) => res.end(body)));
    expect((await postTo(sized)).body.byteLength).toBe(1000);
    await expect(postTo(sized, { bytesMax: 999 })).rejects.toEqual(failure('too_large'));
    const chunked = await keep(openHttpPeer((_, res) => void (res.write(body.slice(1)), res.end('x'))));
    expect((await postTo(chunked)).body.byteLength).toBe(1000);
    await expect(postTo(chunked, { bytesMax: 999 })).rejects.toEqual(failure('too_large'));
  });

  it('of a gigabyte is cut off, not read', async () => {
    const announced = await keep(
      openRawPeer((socket) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 ** 30}\r\n\r\nx`)),
    );
    await expect(postTo(announced)).rejects.toEqual(failure('too_large'));
    await announced.connectionEnded;
    let sent = 0;
    const endless = await keep(
      openHttpPeer((_, res) => {
        const chunk = Buffer.alloc(64 * 1024);
        function pour(): void {
          while (!res.destroyed && sent < 2 ** 30) {
            sent += chunk.length;
            if (!res.write(chunk)) return void res.once('drain', pour);
          }
        }
        pour();
      }),
    );
    await expect(postTo(endless)).rejects.toEqual(failure('too_large'));
    await endless.connectionEnded;
    expect(sent).toBeLessThan(2 ** 26);
  });
});

describe('a peer', () => {
  const whole = { timeoutMs: 300 };

  it('that says nothing is given up when its time is over', async () => {
    const silent = await keep(openRawPeer(() => undefined));
    await expect(postTo(silent, whole)).rejects.toEqual(failure('timed_out'));
    await silent.connectionEnded;
  });

  it('that drips bytes gains no time, in its headers or in its body', async () => {
    for (const start of ['HTTP/1.1 200 OK\r\nX-Drip: ', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n']) {
      const dripping = await keep(
        openRawPeer((socket) => {
          socket.write(start);
          const timer = setInterval(() => socket.write('x'), 20);
          socket.on('close', () => clearInterval(timer));
        }),
      );
      await expect(postTo(dripping, whole)).rejects.toEqual(failure('timed_out'));
      await dripping.connectionEnded;
    }
  });

  it('whose headers have no end is cut off', async () => {
    const peer = await keep(
      openRawPeer((socket) => {
        const pour = () => {
          while (!socket.destroyed && socket.write(`X-${'a'.repeat(1000)}: b\r\n`));
        };
        socket.write('HTTP/1.1 200 OK\r\n');
        socket.on('drain', pour);
        pour();
      }),
    );
    await expect(postTo(peer)).rejects.toEqual(failure('too_large'));
    await peer.connectionEnded;
  });

  it('that sends interim answers without end is cut off', async () => {
    const peer = await keep(openRawPeer((socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))));
    await expect(postTo(peer)).rejects.toEqual(failure('malformed'));
    await peer.connectionEnded;
  });

  it('that speaks no HTTP, or another protocol from here on, is malformed', async () => {
    for (const words of [
      'SSH-2.0-OpenSSH_9.2\r\n',
      'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    ]) {
      const peer = await keep(openRawPeer((socket) => void socket.write(words)));
      await expect(postTo(peer)).rejects.toEqual(failure('malformed'));
      await peer.connectionEnded;
    }
  });

  it('that hangs up, before or within its answer, is unreachable', async () => {
    for (const words of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nx']) {
      const peer = await keep(openRawPeer((socket) => void socket.end(words)));
      await expect(postTo(peer)).rejects.toEqual(failure('unreachable'));
    }
  });

  it('that does not listen is unreachable', async () => {
    await expect(post(`http://127.0.0.1:${await findClosedPort()}/`)).rejects.toEqual(failure('unreachable'));
  });
});

describe('the name of a host', () => {
  it('is resolved once, and the connection goes to what was judged', async () => {
    const peer = await keep(openHttpPeer((req, res) => res.end(req.headers.host)));
    const answers = ['127.0.0.1', '169.254.169.254'];
    const resolve = () => Promise.resolve([{ address: answers.shift() ?? '0.0.0.0', family: 4 }]);
    const answer = await post(`http://rebinding.example:${peer.port}/`, {}, { ...local, resolve });
    expect(Buffer.from(answer.body).toString()).toBe(`rebinding.example:${peer.port}`);
    expect(answers).toEqual(['169.254.169.254']);
  });

  it('that resolves to a forbidden address, alone or among others, is not called', async () => {
    const peer = await keep(openHttpsPeer((_, res) => res.end()));
    const url = `https://tls.test:${peer.port}/`;
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['169.254.169.254'], ['::ffff:127.0.0.1']]) {
      const resolve = () =>
        Promise.resolve(addresses.map((address) => ({ address, family: address[0] === ':' ? 6 : 4 })));
      const options = { allowList: new Set<string>(), resolve, ca: CERTIFICATE };
      await expect(post(url, {}, options)).rejects.toEqual(failure('address_refused'));
    }
  });

  it('that does not resolve, or not in time, is unreachable or timed out', async () => {
    const failing = { ...local, resolve: () => Promise.reject(new Error('ENOTFOUND hunter2')) };
    await expect(post('https://nowhere.example/', {}, failing)).rejects.toEqual(failure('unreachable'));
    const hanging = { ...local, resolve: () => new Promise<never>(() => undefined) };
    await expect(post('https://slow.example/', { timeoutMs: 50 }, hanging)).rejects.toEqual(failure('timed_out'));
  });

  it('is found by the system where it is one of this machine', async () => {
    const peer = await keep(openHttpPeer((_, res) => res.end('here')));
    expect((await post(`http://localhost:${peer.port}/`)).status).toBe(200);
  });
});

describe('TLS', () => {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

  it('asks for a certificate of the very name, by a trusted authority', async () => {
    const peer = await keep(openHttpsPeer((_, res) => res.end('secure')));
    const trusting = { ...local, resolve, ca: CERTIFICATE };
    expect((await post(`https://tls.test:${peer.port}/`, {}, trusting)).status).toBe(200);
    expect((await post(`https://127.0.0.1:${peer.port}/`, {}, trusting)).status).toBe(200);
    await expect(post(`https://other.test:${peer.port}/`, {}, trusting)).rejects.toEqual(failure('unreachable'));
    await expect(post(`https://tls.test:${peer.port}/`, {}, { ...local, resolve })).rejects.toEqual(
      failure('unreachable'),
    );
  });
});

describe('the environment', () => {
  const script = fileURLToPath(new URL('./fixtures/post-through-environment.ts', import.meta.url));
  async function postAsProcess(url: string, env: Readonly<Record<string, string>>): Promise<string> {
    const arguments_ = ['--disable-warning=ExperimentalWarning', script, url];
    return (await promisify(execFile)(process.execPath, arguments_, { env: { ...process.env, ...env } })).stdout;
  }

  it('puts no proxy between', async () => {
    const peer = await keep(openHttpPeer((_, res) => res.end()));
    const proxy = `http://127.0.0.1:${await findClosedPort()}`;
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '' };
    expect(await postAsProcess(`http://127.0.0.1:${peer.port}/`, env)).toBe('200');
  });

  it('cannot turn the check of certificates off', async () => {
    const peer = await keep(openHttpsPeer((_, res) => res.end()));
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect(await postAsProcess(`https://127.0.0.1:${peer.port}/`, env)).toBe('unreachable');
  });
});

describe('assertAllowed', () => {
  it('refuses what a call would refuse, without one', () => {
    const outbound = createOutboundHttp({ allowList: new Set() });
    expect(() => outbound.assertAllowed('https://witness.example/')).not.toThrow();
    expect(() => outbound.assertAllowed('https://169.254.169.254/')).toThrow(failure('address_refused'));
  });
});
