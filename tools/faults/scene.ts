import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { startTestRedis, startTestS3, type TestRedis } from '@answer-evidence/testing';
import { SPLIT_ROLES, type SplitRole } from '../proxy/routing-table.ts';
import { postgresPidsOf } from '../scenery/service-process.ts';
import { makeBucket, openSplitInstallation, type SplitInstallation } from '../scenery/split-installation.ts';
import { type FaultyRelay, openFaultyRelay } from './faulty-relay.ts';
import { openSmallDisk, removeForgottenDisks, type SmallDisk } from './small-disk.ts';

/** The parts of an installation that are no processes of ours. */
export type Store = 'PostgreSQL' | 'Redis' | 'object store';

/** What lies between the proxy and each role. */
export type RolePaths = Readonly<Record<SplitRole, FaultyRelay>>;

/** An installation, and every handle by which it can be hurt. */
export type Scene = {
  /** Goes away when the scene is closed, after everything else. */
  readonly folder: string;
  readonly installation: SplitInstallation;
  readonly redis: TestRedis;
  /** What lies between the processes and each store. */
  readonly relays: Readonly<Record<Store, FaultyRelay>>;
  /** What lies between the proxy and each role, if the scene was asked for it. */
  readonly paths: RolePaths | undefined;
  /** Where each store keeps its data: a small disk, but the memory of Ceph, where the object store is that. */
  readonly disks: Readonly<Record<Store, Pick<SmallDisk, 'fill' | 'free'>>>;
  readonly stopPostgres: (how: 'SIGTERM' | 'SIGQUIT') => Promise<void>;
  readonly startPostgres: () => Promise<void>;
  readonly isPostgresRunning: () => boolean;
  /** To its first process, and to that of each connection. */
  readonly signalPostgres: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** Moves the clock of the first process of each role. */
  readonly shiftClock: (ms: number) => Promise<void>;
  close(): Promise<void>;
};

const SHIFTED_CLOCK = fileURLToPath(new URL('../scenery/shifted-clock.mjs', import.meta.url));

const CONNECTIONS_OF_PROCESS = 45;
const CONNECTIONS_BESIDE = 20;
/** MB of each disk. */
const DISK_MB = 1_200;

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Opens an installation with so many processes of each role, on servers of its own. A signal that asks this process to
 * end closes it first; what a killed process left mounted is unmounted here.
 */
export async function openScene(instances: number, options: { readonly hasPaths?: boolean } = {}): Promise<Scene> {
  for (const forgotten of await removeForgottenDisks()) process.stderr.write(`unmounted ${forgotten}\n`);
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-faults-'));
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeAll());
  async function closeAll(): Promise<void> {
    for (const signal of SIGNALS) process.off(signal, closeEarly);
    const errors: unknown[] = [];
    for (const one of closers.splice(0).toReversed()) await one().catch((error: unknown) => void errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, 'the installation did not end as it should');
  }
  function closeEarly(signal: NodeJS.Signals): void {
    process.stderr.write(`${signal}: ending the installation\n`);
    void close().finally(() => process.exit(1));
  }
  for (const signal of SIGNALS) process.on(signal, closeEarly);
  try {
    async function openDisk(name: string): Promise<SmallDisk> {
      const disk = await openSmallDisk(join(folder, name), DISK_MB);
      closers.push(() => disk.close());
      return disk;
    }
    const disks = {
      PostgreSQL: await openDisk('database'),
      Redis: await openDisk('queues'),
      'object store': await openDisk('objects'),
    };
    const dataDir = join(disks.PostgreSQL.folder, 'postgres');
    // As docs/operations/sizing.md has it.
    const connections = CONNECTIONS_OF_PROCESS * SPLIT_ROLES.length * instances + CONNECTIONS_BESIDE;
    const startServer = () => openEmbeddedPostgres({ dataDir, settings: { max_connections: String(connections) } });
    let postgres: EmbeddedPostgres = await startServer();
    let isRunning = true;
    const watchPostgres = (): void => {
      isRunning = true;
      const watched = postgres;
      void watched.exited.then(() => {
        if (watched === postgres) isRunning = false;
      });
    };
    watchPostgres();
    closers.push(() => postgres.close());
    // As in docker-compose.yml: with `always`, Redis ends where its disk is full.
    const asDeployed = { appendfsync: 'everysec', dir: disks.Redis.folder };
    const redis = await startTestRedis({ 'enable-debug-command': 'yes', ...asDeployed });
    closers.push(() => redis.close());
    const s3 = await startTestS3(disks['object store'].folder);
    closers.push(() => s3.close());
    const { setFull } = s3;
    const bucket = await makeBucket(s3);
    const relays = {
      PostgreSQL: await openFaultyRelay(() => new URL(postgres.url).host),
      Redis: await openFaultyRelay(() => new URL(redis.url).host),
      'object store': await openFaultyRelay(() => new URL(s3.url).host),
    };
    const hosts = new Map<SplitRole, string>();
    const openPath = async (role: SplitRole) => [role, await openFaultyRelay(() => hosts.get(role) ?? '')] as const;
    const paths =
      options.hasPaths === true
        ? (Object.fromEntries(await Promise.all(SPLIT_ROLES.map(openPath))) as RolePaths)
        : undefined;
    for (const relay of [...Object.values(relays), ...Object.values(paths ?? {})]) closers.push(() => relay.close());
    const databaseUrl = new URL(postgres.url);
    databaseUrl.host = relays.PostgreSQL.host;
    const shiftFile = join(folder, 'shift');
    await writeFile(shiftFile, '0');
    await mkdir(join(folder, 'data'), { recursive: true });
    const installation = await openSplitInstallation(
      {
        databaseUrl: databaseUrl.href,
        redisUrl: `redis://${relays.Redis.host}`,
        bucket: { ...bucket, S3_ENDPOINT: `http://${relays['object store'].host}` },
      },
      {
        instances,
        reachAt(role, address) {
          hosts.set(role, new URL(address).host);
          return paths === undefined ? address : `http://${paths[role].host}`;
        },
        environmentOfFirst: { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, SHIFTED_CLOCK_FILE: shiftFile },
      },
    );
    closers.push(() => installation.close());
    return {
      folder,
      installation,
      redis,
      relays,
      paths,
      disks: {
        ...disks,
        ...(setFull === undefined ? {} : { 'object store': { fill: () => setFull(true), free: () => setFull(false) } }),
      },
      isPostgresRunning: () => isRunning,
      signalPostgres(signal) {
        for (const pid of postgresPidsOf(disks.PostgreSQL.folder)) process.kill(pid, signal);
      },
      async stopPostgres(how) {
        if (how === 'SIGQUIT') process.kill(postgres.pid, 'SIGQUIT');
        else await postgres.close();
        await postgres.exited;
      },
      async startPostgres() {
        // At the same port, which it keeps in its folder.
        postgres = await startServer();
        watchPostgres();
      },
      shiftClock: (ms) => writeFile(shiftFile, String(ms)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
