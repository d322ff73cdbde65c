import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { isInstalled } from './is-installed.ts';
import { openTogether } from './open-together.ts';
import { sendToRedis, startTestRedis, type TestRedis } from './redis-server.ts';
import { startProgram } from './start-program.ts';
import { until } from './until.ts';

const PROGRAM = 'redis-sentinel';
const MASTER = 'ledger';
const SENTINELS = 3;
const REDIS_PASSWORD = 'of-redis+1';
const SENTINEL_PASSWORD = 'of-sentinel+1';
/** After how long without a response a master counts as down. */
const DOWN_MS = 5_000;

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
export function startTestSentinels(tls?: CertificateFiles): Promise<TestSentinels> {
  return openTogether(async (keep) => {
    const given = { requirepass: REDIS_PASSWORD, masterauth: REDIS_PASSWORD, ...settingsOf(tls) };
    const first = await startTestRedis(given);
    keep(() => first.close());
    const second = await startTestRedis({ ...given, replicaof: `127.0.0.1 ${new URL(first.url).port}` });
    keep(() => second.close());
    const servers = [first, second];
    const ports: number[] = [];
    for (let n = 0; n < SENTINELS; n++) {
      const sentinel = await startSentinel(new URL(first.url).port, settingsOf(tls));
      keep(() => sentinel.close());
      ports.push(sentinel.port);
    }
    const ask = (words: readonly string[]) =>
      sendToRedis({ port: ports[0] ?? 0, password: SENTINEL_PASSWORD, isEncrypted: tls !== undefined }, [
        'SENTINEL',
        ...words,
        MASTER,
      ]);
    const untilGuarded = () =>
      until('the Sentinels guard Redis', async () => {
        const isQuorum = (await ask(['CKQUORUM'])).startsWith(`+OK ${SENTINELS} usable`);
        const replicas = await ask(['REPLICAS']);
        return isQuorum && /\r\nslave\r\n/.test(replicas) && replicas.includes('master-link-status\r\n$2\r\nok');
      });
    await untilGuarded();
    return {
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
      untilGuarded,
    };
  });
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
  const port = await findFreePort();
  const isEncrypted = 'tls-cert-file' in tls;
  const { close } = await startProgram('sentinel', {
    async prepare(folder) {
      // A Sentinel keeps what it learns in this file.
      const file = join(folder, 'sentinel.conf');
      await writeFile(
        file,
        [
          ...(isEncrypted ? ['port 0', `tls-port ${port}`] : [`port ${port}`]),
          ...Object.entries(tls).map(([name, value]) => `${name} ${value}`),
          'bind 127.0.0.1',
          `dir ${folder}`,
          `requirepass ${SENTINEL_PASSWORD}`,
          `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
          `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 2`,
          `sentinel auth-pass ${MASTER} ${REDIS_PASSWORD}`,
          `sentinel down-after-milliseconds ${MASTER} ${DOWN_MS}`,
          `sentinel failover-timeout ${MASTER} 5000`,
          '',
        ].join('\n'),
      );
      return [PROGRAM, file];
    },
    ask: () => sendToRedis({ port, password: SENTINEL_PASSWORD, isEncrypted }, ['PING']),
    signal: 'SIGKILL',
  });
  return { port, close };
}
