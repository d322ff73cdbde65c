import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasRedis, startTestRedis, type TestRedis } from '@answer-evidence/testing';
import { connectRedis } from './connect-redis.ts';

const CHANNEL = '+switch-master';

/** A Sentinel that has a test act between a question for the master and its reply. */
type ActingSentinel = {
  readonly url: string;
  /** Who is the master, asked at each question. */
  master: () => string | Promise<string>;
  /** Resolves when a connection listens to failovers. */
  untilHeard(): Promise<void>;
  /** Tells all who listen of a failover, and waits until they have acted on it: they hang up then. */
  announce(): Promise<void>;
  close(): Promise<void>;
};

async function openActingSentinel(): Promise<ActingSentinel> {
  const sockets = new Set<Socket>();
  const listeners = new Set<Socket>();
  let onListener: () => void = () => undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (data: Buffer) => {
      text += data.toString('utf8');
      const { commands, rest } = readCommands(text);
      text = rest;
      for (const command of commands) void reply(socket, command);
    });
  });

  async function reply(socket: Socket, words: readonly string[]): Promise<void> {
    switch (words[0]?.toLowerCase()) {
      case 'hello':
        return void socket.write("-ERR unknown command 'HELLO'\r\n");
      case 'sentinel': {
        const { hostname, port } = new URL(await sentinel.master());
        return void socket.write(formatBulks([hostname, port]));
      }
      case 'subscribe':
        socket.write(`*3\r\n${formatBulk('subscribe')}${formatBulk(CHANNEL)}:1\r\n`);
        listeners.add(socket);
        socket.once('close', () => listeners.delete(socket));
        return onListener();
      default:
        socket.write('+OK\r\n');
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sentinel: ActingSentinel = {
    url: `redis-sentinel://127.0.0.1:${port}/0?sentinelMasterId=ledger`,
    master: () => Promise.reject(new Error('no master yet')),
    async untilHeard() {
      if (listeners.size === 0) await new Promise<void>((resolve) => (onListener = resolve));
    },
    async announce() {
      const closed = [...listeners].map((listener) => once(listener, 'close'));
      for (const listener of listeners) listener.write(formatBulks(['message', CHANNEL, 'ledger']));
      await Promise.all(closed);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return sentinel;
}

function formatBulk(word: string): string {
  return `$${word.length}\r\n${word}\r\n`;
}

function formatBulks(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map(formatBulk).join('')}`;
}

/** The whole commands of a text, each an array of bulk strings, and what follows them. */
function readCommands(text: string): { readonly commands: readonly (readonly string[])[]; readonly rest: string } {
  const commands: string[][] = [];
  let rest = text;
  for (;;) {
    const parts = rest.split('\r\n');
    const lines = 1 + 2 * Number(parts[0]?.slice(1));
    // What follows the last line break is no line yet.
    if (!(parts.length > lines)) return { commands, rest };
    commands.push(parts.slice(1, lines).filter((_, at) => at % 2 === 1));
    rest = parts.slice(lines).join('\r\n');
  }
}

(hasRedis() ? describe : describe.skip)('a connection by Sentinels', () => {
  let first: TestRedis;
  let next: TestRedis;
  let sentinel: ActingSentinel;
  beforeAll(async () => {
    first = await startTestRedis();
    next = await startTestRedis();
    sentinel = await openActingSentinel();
  });
  afterAll(async () => {
    await sentinel.close();
    await next.close();
    await first.close();
  });

  function connect() {
    const redis = connectRedis(sentinel.url, { maxRetriesPerRequest: null, retryStrategy: () => 10 });
    redis.on('error', () => undefined);
    return redis;
  }

  it('goes on with the next master where it hears of the failover while it asks for the master', async () => {
    sentinel.master = () => first.url;
    const redis = connect();
    await redis.set('before', '1');
    await sentinel.untilHeard();
    let questions = 0;
    sentinel.master = async () => {
      if (questions++ === 0) await sentinel.announce();
      return next.url;
    };
    await first.kill();
    expect(await redis.set('after', '1')).toBe('OK');
    expect(questions).toBeGreaterThan(1);
    expect(await next.command('GET', 'after')).toContain('1');
    redis.disconnect();
    await once(redis, 'end');
  });

  it('has the password that its URL has by then, and so have copies of it', async () => {
    const server = await startTestRedis({ requirepass: 'one' });
    const { port } = new URL(server.url);
    let password = 'one';
    const urlNow = () => `redis://:${password}@127.0.0.1:${port}`;
    const redis = connectRedis(
      urlNow(),
      { maxRetriesPerRequest: null, retryStrategy: () => 10 },
      { currentUrl: urlNow },
    );
    const copy = redis.duplicate();
    for (const one of [redis, copy]) one.on('error', () => undefined);
    await Promise.all([redis.ping(), copy.ping()]);
    await redis.config('SET', 'requirepass', 'two');
    password = 'two';
    const closed = [redis, copy].map((one) => once(one, 'close'));
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    redis.disconnect(true);
    await Promise.all(closed);
    expect(await Promise.all([redis.ping(), copy.ping()])).toEqual(['PONG', 'PONG']);
    for (const one of [redis, copy]) one.disconnect();
    await server.close();
  });

  it('ends where it is closed while it asks for the master', async () => {
    const redis = connect();
    sentinel.master = () => {
      redis.disconnect();
      return next.url;
    };
    await once(redis, 'end');
    await expect(redis.get('after')).rejects.toThrow('Connection is closed.');
  });

  it('ends where no Sentinel names a master and it may not ask again', async () => {
    const refusing = connectRedis('redis-sentinel://127.0.0.1:1/0?sentinelMasterId=ledger', {
      retryStrategy: () => null,
    });
    const errors: string[] = [];
    refusing.on('error', ({ message }: Error) => errors.push(message));
    await new Promise((resolve) => refusing.once('end', resolve));
    expect(errors).toEqual([expect.stringContaining('All sentinels are unreachable')]);
  });
});
