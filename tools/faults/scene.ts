import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { startTestRedis, startTestS3, type TestRedis } from '@answer-evidence/testing';
import { makeBucket, openSplitInstallation, type SplitInstallation } from '../../e2e/support/split-installation.ts';
import { type FaultyRelay, openFaultyRelay } from './faulty-relay.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';

/** The parts of an installation that are no processes of ours. */
export type Store = 'PostgreSQL' | 'Redis' | 'object store';

/** An installation, and every handle by which it can be hurt. */
export type Scene = {
  readonly installation: SplitInstallation;
  readonly redis: TestRedis;
  /** What lies between the processes and each store. */
  readonly relays: Readonly<Record<Store, FaultyRelay>>;
  readonly disk: SmallDisk;
  readonly stopPostgres: (how: 'SIGTERM' | 'SIGQUIT') => Promise<void>;
  readonly startPostgres: () => Promise<void>;
  readonly isPostgresRunning: () => boolean;
  /** Moves the clock of the first process of each role. */
  readonly shiftClock: (ms: number) => Promise<void>;
  close(): Promise<void>;
};

const SHIFTED_CLOCK = fileURLToPath(new URL('../../e2e/support/shifted-clock.mjs', import.meta.url));

/** Opens an installation with so many processes of each role, on servers of its own. */
export async function openScene(instances: number): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-faults-'));
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).toReversed()) await one();
  };
  try {
    const disk = await openSmallDisk(join(folder, 'disk'));
    closers.push(() => disk.close());
    const dataDir = join(disk.folder, 'postgres');
    let postgres: EmbeddedPostgres = await openEmbeddedPostgres({ dataDir });
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
    const redis = await startTestRedis({ 'enable-debug-command': 'yes' });
    closers.push(() => redis.close());
    const s3 = await startTestS3();
    closers.push(() => s3.close());
    const bucket = await makeBucket(s3);
    const relays = {
      PostgreSQL: await openFaultyRelay(new URL(postgres.url).host),
      Redis: await openFaultyRelay(new URL(redis.url).host),
      'object store': await openFaultyRelay(new URL(s3.url).host),
    };
    for (const relay of Object.values(relays)) closers.push(() => relay.close());
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
        environmentOfFirst: { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, SHIFTED_CLOCK_FILE: shiftFile },
      },
    );
    closers.push(() => installation.close());
    return {
      installation,
      redis,
      relays,
      disk,
      isPostgresRunning: () => isRunning,
      async stopPostgres(how) {
        if (how === 'SIGQUIT') process.kill(postgres.pid, 'SIGQUIT');
        else await postgres.close();
        await postgres.exited;
      },
      async startPostgres() {
        // At the same port, which it keeps in its folder.
        postgres = await openEmbeddedPostgres({ dataDir });
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
