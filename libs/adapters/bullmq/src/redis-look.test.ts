import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { hasRedis, runOpenssl, startTestRedis } from '@answer-evidence/testing';
import { inspectRedis, openRedisQueues, RedisRefusedError } from './redis.ts';

/** A server that says it is a Redis, once, and is gone when it is asked for more. */
async function openBriefRedis(): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let asked = 0;
    socket.on('data', (bytes) => {
      for (const [, command] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        if (command === 'hello') socket.write('%1\r\n+server\r\n+redis\r\n');
        else if (command !== 'info') socket.write('+OK\r\n');
        else if (asked++ === 0) socket.write('$15\r\nredis_version:7\r\n');
        else close();
      }
    });
    socket.on('error', () => undefined);
  });
  function close(): void {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** A certificate that signs itself, as a new server often has. */
async function makeCertificate(): Promise<{ readonly certificate: string; readonly key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-redis-tls-'));
  try {
    const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out cert -subj /CN=x';
    await runOpenssl(folder, words.split(' '));
    return {
      certificate: await readFile(join(folder, 'cert'), 'utf8'),
      key: await readFile(join(folder, 'key'), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the first look at Redis', () => {
  it('is no obstacle to a start when Redis goes away meanwhile', async () => {
    const redis = await openBriefRedis();
    const errors: Error[] = [];
    const queue = await openRedisQueues({ url: redis.url, prefix: 'brief', onError: (error) => errors.push(error) });
    expect(errors.at(-1)?.message).toMatch(/max retries per request/);
    try {
      await expect(queue.counts('trust.run')).rejects.toThrow('unavailable');
    } finally {
      await queue.close();
      redis.close();
    }
  });

  (hasRedis() ? it : it.skip)('refuses one that does not show whether it drops jobs, with what to do', async () => {
    const redis = await startTestRedis();
    try {
      await redis.command('ACL', 'SETUSER', 'blind', 'on', '>secret-word', '~*', '&*', '+@all', '-info');
      const url = redis.url.replace('redis://', 'redis://blind:secret-word@');
      const opening = openRedisQueues({ url, prefix: 'blind', onError: () => undefined });
      await expect(opening).rejects.toThrow(RedisRefusedError);
      await expect(opening).rejects.toThrow('allow the user to run INFO');
    } finally {
      await redis.close();
    }
  });

  it.each([
    ['cluster-enabled', 'yes', /Redis is a cluster.*\(CROSSSLOT\)/],
    ['replicaof', '127.0.0.1 1', /Redis is a replica/],
  ] as const)('refuses one with %s %s', async (setting, value, sentence) => {
    if (!hasRedis()) return;
    const redis = await startTestRedis({ [setting]: value });
    try {
      const opening = openRedisQueues({ url: redis.url, prefix: 'refused', onError: () => undefined });
      await expect(opening).rejects.toThrow(RedisRefusedError);
      await expect(opening).rejects.toThrow(sentence);
      // The doctor names it beside everything else.
      const found = await inspectRedis(redis.url);
      expect(found.filter(({ outcome }) => outcome === 'FAIL')).toEqual([
        expect.objectContaining({ text: expect.stringMatching(sentence) }),
      ]);
    } finally {
      await redis.close();
    }
  });

  it('tells of one that keeps nothing, and uses it', async () => {
    if (!hasRedis()) return;
    const redis = await startTestRedis({ appendonly: 'no' });
    try {
      const told: string[] = [];
      const queue = await openRedisQueues({
        url: redis.url,
        prefix: 'told',
        onError: () => undefined,
        onFindings: (findings) =>
          told.push(...findings.filter((one) => one.outcome === 'WARN').map(({ text }) => text)),
      });
      await queue.close();
      expect(told).toEqual([expect.stringMatching(/keeps nothing when it ends/)]);
    } finally {
      await redis.close();
    }
  });

  it('names protected mode, in which a server answers before it is asked and hangs up', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('-DENIED Redis is running in protected mode because protected mode is enabled.\r\n');
    });
    const url = await listenOn(server);
    try {
      const opening = openRedisQueues({ url, prefix: 'protected', onError: () => undefined });
      await expect(opening).rejects.toThrow('Redis runs in protected mode');
      await expect(inspectRedis(url)).rejects.toThrow('give it a password (requirepass, or a user)');
    } finally {
      server.close();
    }
  });

  it('refuses a certificate that nobody vouches for, and names the scheme that the port speaks', async () => {
    const { certificate, key } = await makeCertificate();
    const sockets = new Set<Socket>();
    const server = createTlsServer({ cert: certificate, key }).on('tlsClientError', () => undefined);
    server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
    const url = await listenOn(server);
    const plain = createServer((socket) => socket.on('error', () => undefined).end('-ERR Protocol error\r\n'));
    const plainUrl = await listenOn(plain);
    const open = (to: string) => openRedisQueues({ url: to, prefix: 'tls', onError: () => undefined });
    try {
      await expect(open(url.replace('redis:', 'rediss:'))).rejects.toThrow(
        /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      );
      await expect(open(url)).rejects.toThrow('Redis speaks TLS at this port; begin REDIS_URL with rediss');
      await expect(open(plainUrl.replace('redis:', 'rediss:'))).rejects.toThrow('does not speak TLS at this port');
    } finally {
      plain.close();
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
});

async function listenOn(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
