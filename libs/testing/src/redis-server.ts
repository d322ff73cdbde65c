import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { findFreePort } from './free-port.ts';
import { isInstalled } from './is-installed.ts';
import { until } from './until.ts';

const PROGRAM = 'redis-server';

/** A private Redis; anyone who opened it closes it. */
export type TestRedis = {
  readonly url: string;
  /** Ends it as a power cut would; what it wrote to its log stays. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Has it say nothing while its connections stay, as a hung host does, until `resume`. */
  pause(): void;
  resume(): void;
  /** One command, as `redis-cli` would send it. */
  command(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
};

/** Whether tests that need Redis can run here. With `REQUIRE_SERVICES=1` they must. */
export function hasRedis(): boolean {
  return process.env.REQUIRE_SERVICES === '1' || isInstalled(PROGRAM);
}

/** Starts a Redis on a free port, in its own folder, with a log of every write. Throws without `redis-server`. */
export async function startTestRedis(settings: Readonly<Record<string, string>> = {}): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'answer-evidence-redis-'));
  const port = await findFreePort();
  const isEncrypted = 'tls-cert-file' in settings;
  const server = { port, password: settings['requirepass'], isEncrypted };
  // By itself Redis takes the port that is 10,000 higher, which the system may have given to anyone.
  const clusterPort: Readonly<Record<string, string>> =
    'cluster-enabled' in settings ? { 'cluster-port': String(await findFreePort()) } : {};
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const given = { 'maxmemory-policy': 'noeviction', appendonly: 'yes', appendfsync: 'always', save: '', ...settings };
    const words = Object.entries({
      ...(isEncrypted ? { port: '0', 'tls-port': String(port) } : { port: String(port) }),
      ...{ bind: '127.0.0.1', dir },
      ...clusterPort,
      ...given,
    });
    const started = spawn(
      PROGRAM,
      words.flatMap(([name, value]) => [`--${name}`, value]),
      { stdio: 'ignore' },
    );
    child = started;
    await new Promise<void>((resolve, reject) => {
      started.once('error', reject);
      started.once('exit', (code) => reject(new Error(`${PROGRAM} ended with ${String(code)}`)));
      until('Redis answers', () => isServing(server)).then(resolve, reject);
    });
  }

  async function kill(): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      ending.once('exit', () => resolve());
      ending.kill('SIGKILL');
    });
  }

  try {
    await start();
  } catch (error) {
    await kill();
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
  return {
    url: `${isEncrypted ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    command: (...words) => sendToRedis(server, words),
    async close() {
      await kill();
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** Where a server listens on this machine, with the password of its default user. */
type LocalRedis = {
  readonly port: number;
  readonly password?: string | undefined;
  readonly isEncrypted?: boolean;
};

/** Whether a server answers, past `LOADING`. */
async function isServing(server: LocalRedis): Promise<boolean> {
  return (await sendToRedis(server, ['PING']).catch(() => '')).startsWith('+PONG');
}

/** Sends one command on a connection of its own; the reply as it came, one packet of it. */
export function sendToRedis({ port, password, isEncrypted }: LocalRedis, words: readonly string[]): Promise<string> {
  const commands = [...(password === undefined ? [] : [['AUTH', password]]), words].map(formatCommand);
  return new Promise((resolve, reject) => {
    const socket =
      isEncrypted === true
        ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
        : connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Redis ended the connection')));
    socket.write(commands.shift() ?? '');
    socket.on('data', (reply: Buffer) => {
      const next = commands.shift();
      if (next !== undefined) return void socket.write(next);
      resolve(reply.toString('utf8'));
      socket.destroy();
    });
  });
}

function formatCommand(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}
