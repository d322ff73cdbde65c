import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { isInstalled } from './is-installed.ts';
import { sendToRedis, startTestRedis, type TestRedis } from './redis-server.ts';

const PROGRAM = 'redis-sentinel';
const MASTER = 'ledger';
const SENTINELS = 3;
const REDIS_PASSWORD = 'of-redis+1';
const SENTINEL_PASSWORD = 'of-sentinel+1';
/** After how long without a response a master counts as down. */
const DOWN_MS = 5_000;
const AGREED_MS = 60_000;

/** Two private Redis, of which one follows the other, and three Sentinels that watch them; each wants a password. */
export type TestSentinels = {
  readonly url: string;
  /** The one that is the master now, by what a Sentinel says. */
  master(): Promise<TestRedis>;
  /** Waits until the Sentinels know each other, and a replica that could take over. */
  untilGuarded(): Promise<void>;
  close(): Promise<void>;
};

/** Whether tests that need Sentinels can run here. With `REQUIRE_SERVICES=1` they must. */
export function hasSentinels(): boolean {
  return process.env.REQUIRE_SERVICES === '1' || isInstalled(PROGRAM);
}

/** A certificate of this machine, in files; it is its own authority. */
type CertificateFiles = { readonly certificate: string; readonly key: string };

/** Starts them all, with TLS where there is a certificate, and waits until the Sentinels would agree on a failover. */
export async function startTestSentinels(tls?: CertificateFiles): Promise<TestSentinels> {
  const closing: (() => Promise<void>)[] = [];
  async function close(): Promise<void> {
    for (let closeOne = closing.pop(); closeOne !== undefined; closeOne = closing.pop()) await closeOne();
  }
  try {
    const given = { requirepass: REDIS_PASSWORD, masterauth: REDIS_PASSWORD, ...settingsOf(tls) };
    const first = await startTestRedis(given);
    closing.push(() => first.close());
    const second = await startTestRedis({ ...given, replicaof: `127.0.0.1 ${new URL(first.url).port}` });
    closing.push(() => second.close());
    const servers = [first, second];
    const ports: number[] = [];
    for (let n = 0; n < SENTINELS; n++) {
      const sentinel = await startSentinel(new URL(first.url).port, settingsOf(tls));
      closing.push(() => sentinel.close());
      ports.push(sentinel.port);
    }
    const ask = (words: readonly string[]) =>
      sendToRedis({ port: ports[0] ?? 0, password: SENTINEL_PASSWORD, isEncrypted: tls !== undefined }, [
        'SENTINEL',
        ...words,
        MASTER,
      ]);
    const started: TestSentinels = {
      url:
        `${tls === undefined ? 'redis' : 'rediss'}-sentinel://:${encodeURIComponent(REDIS_PASSWORD)}@` +
        `${ports.map((port) => `127.0.0.1:${port}`).join(',')}/0?sentinelMasterId=${MASTER}` +
        `&sentinelPassword=${encodeURIComponent(SENTINEL_PASSWORD)}`,
      async master() {
        const reply = await ask(['GET-MASTER-ADDR-BY-NAME']);
        const found = servers.find(({ url }) => reply.split('\r\n').includes(new URL(url).port));
        if (found === undefined) throw new Error(`the Sentinels name an unknown master: ${reply}`);
        return found;
      },
      async untilGuarded() {
        const deadline = Date.now() + AGREED_MS;
        for (;;) {
          const isQuorum = (await ask(['CKQUORUM'])).startsWith(`+OK ${SENTINELS} usable`);
          const replicas = await ask(['REPLICAS']);
          if (isQuorum && /\r\nslave\r\n/.test(replicas) && replicas.includes('master-link-status\r\n$2\r\nok')) return;
          if (Date.now() > deadline) throw new Error(`the Sentinels do not guard Redis: ${replicas}`);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      },
      close,
    };
    await started.untilGuarded();
    return started;
  } catch (error) {
    await close();
    throw error;
  }
}

function settingsOf(tls: CertificateFiles | undefined): Readonly<Record<string, string>> {
  if (tls === undefined) return {};
  return {
    'tls-cert-file': tls.certificate,
    'tls-key-file': tls.key,
    'tls-ca-cert-file': tls.certificate,
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
  };
}

async function startSentinel(
  masterPort: string,
  tls: Readonly<Record<string, string>>,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'answer-evidence-sentinel-'));
  const port = await findFreePort();
  // A Sentinel keeps what it learns in this file.
  await writeFile(
    join(dir, 'sentinel.conf'),
    [
      ...('tls-cert-file' in tls ? ['port 0', `tls-port ${port}`] : [`port ${port}`]),
      ...Object.entries(tls).map(([name, value]) => `${name} ${value}`),
      'bind 127.0.0.1',
      `dir ${dir}`,
      `requirepass ${SENTINEL_PASSWORD}`,
      `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
      `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 2`,
      `sentinel auth-pass ${MASTER} ${REDIS_PASSWORD}`,
      `sentinel down-after-milliseconds ${MASTER} ${DOWN_MS}`,
      `sentinel failover-timeout ${MASTER} 5000`,
      '',
    ].join('\n'),
  );
  const child = spawn(PROGRAM, [join(dir, 'sentinel.conf')], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${PROGRAM} ended with ${String(code)}`)));
  });
  failed.catch(() => undefined);
  async function close(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
  try {
    await Promise.race([untilListening(port, 'tls-cert-file' in tls), failed]);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

async function untilListening(port: number, isEncrypted: boolean): Promise<void> {
  const deadline = Date.now() + AGREED_MS;
  for (;;) {
    const reply = await sendToRedis({ port, password: SENTINEL_PASSWORD, isEncrypted }, ['PING']).catch(() => '');
    if (reply.startsWith('+PONG')) return;
    if (Date.now() > deadline) throw new Error(`${PROGRAM} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
