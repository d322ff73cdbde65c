import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { hasRedis, startTestRedis } from '@answer-evidence/testing';
import { openRedisQueues, RedisRefusedError } from './index.ts';

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
});
