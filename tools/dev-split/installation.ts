import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError, openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { runOperator } from '@answer-evidence/runtime/operator';
import { ROLES } from '@answer-evidence/runtime/roles';
import { findFreePort, isInstalled } from '@answer-evidence/testing';
import { openPathProxy } from '../proxy/path-proxy.ts';
import { type RoutingTable, SPLIT_ROLES, type SplitRole } from '../proxy/routing-table.ts';
import { SplitFailure } from './failure.ts';
import { assertSamePlace, createSecret, findObjectPlace, type ObjectPlace, startMinio } from './object-server.ts';
import { type Part, startPart } from './part.ts';
import type { PartState } from './state.ts';

/** What an installation keeps of its first start. */
type Kept = { readonly port: number; readonly objects: ObjectPlace; readonly objectSecret: string };

/** What a start may be told. */
export type StartOptions = {
  readonly port: number | undefined;
  readonly objects: 'folder' | undefined;
  /** A built server; the sources without it. */
  readonly program: string | undefined;
};

/** The parts of a running installation. */
export type Installation = {
  readonly url: string;
  parts(): readonly PartState[];
  close(): Promise<void>;
};

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const PORT_DEFAULT = 8080;
/** Five processes and some for people, as docs/operations/sizing.md counts them, with queues in PostgreSQL as well. */
const CONNECTIONS = 320;
const KEPT = 'split.json';

/**
 * Starts what the folder holds, in the order in which one part needs the other. What fails ends all that was started.
 * `say` gets a line for each choice, and `onEnd` hears of each part that ends.
 */
export async function openInstallation(
  folder: string,
  options: StartOptions,
  { say, onEnd }: { readonly say: (line: string) => void; readonly onEnd: () => void },
): Promise<Installation> {
  const closers: (() => Promise<void>)[] = [];
  const states: (() => PartState)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.toReversed()) await one();
  };
  const keep = (part: Part): Part => {
    closers.push(() => part.stop());
    states.push(() => part.state());
    void part.ended.then(onEnd);
    return part;
  };
  try {
    const kept = await readKept(folder, options);
    const url = `http://localhost:${kept.port}`;
    const addresses = new Map<SplitRole, string>();
    // First: whether the port is free decides whether anything is made for it.
    await openProxy(kept.port, addresses);
    await writeFile(join(folder, KEPT), `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    const stores = { ...(await openPostgres()), ...(await openRedis()), ...(await openObjects(kept)) };
    const environment = {
      ...process.env,
      SERVICE_DATA_DIR: folder,
      SERVICE_BASE_URL: url,
      SERVICE_CONSOLE_UPSTREAM: url,
      SERVICE_HTTP_PORT: '0',
      SERVICE_METRICS_PORT: '0',
      SERVICE_TRUSTED_PROXIES: '1',
      ...stores,
    };
    await makeWorkspace(environment);
    await startServices(environment, addresses);
    return { url, parts: () => states.map((state) => state()), close };
  } catch (error) {
    await close();
    if (error instanceof EmbeddedPostgresError)
      throw new SplitFailure(`${error.message}. ${error.remedy}`, { cause: error });
    throw error;
  }

  async function openPostgres(): Promise<NodeJS.ProcessEnv> {
    if (process.env['DATABASE_URL'] !== undefined) {
      say('database: the one that DATABASE_URL names');
      return {};
    }
    say('database: PostgreSQL from the packages, in postgres/');
    const postgres = await openEmbeddedPostgres({
      dataDir: join(folder, 'postgres'),
      settings: { max_connections: String(CONNECTIONS) },
    });
    closers.push(() => postgres.close());
    let isOver = false;
    void postgres.exited.then(() => {
      isOver = true;
      onEnd();
    });
    states.push(() => ({ name: 'postgres', state: isOver ? 'ended' : 'running', pid: postgres.pid, at: 'postgres/' }));
    // Database and key are in one folder, and lost together.
    return { DATABASE_URL: postgres.url, SERVICE_DATA_DIR_LASTS: 'on' };
  }

  async function openRedis(): Promise<NodeJS.ProcessEnv> {
    if (process.env['REDIS_URL'] !== undefined) {
      say('queues: the Redis that REDIS_URL names');
      return {};
    }
    if (!isInstalled('redis-server')) {
      say('queues: in PostgreSQL, because redis-server is not installed');
      return {};
    }
    say('queues: Redis, in redis/');
    const dir = join(folder, 'redis');
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const port = await findFreePort();
    const words = ['--port', port, '--bind', '127.0.0.1', '--dir', dir, '--appendonly', 'yes', '--save', ''].map(
      String,
    );
    const part = keep(
      startPart({
        name: 'redis',
        folder,
        command: ['redis-server', ...words, '--maxmemory-policy', 'noeviction'],
        environment: process.env,
        server: { url: `redis://127.0.0.1:${port}`, ask: () => connectTo(port) },
      }),
    );
    return { REDIS_URL: await part.ready };
  }

  async function openObjects({ objects, objectSecret }: Kept): Promise<NodeJS.ProcessEnv> {
    if (objects === 'S3_ENDPOINT') say('evidence: in the bucket that S3_BUCKET names');
    if (objects === 'folder') say('evidence: in files under objects/; with MinIO installed, a new folder uses it');
    if (objects !== 'minio') return {};
    say('evidence: MinIO, in minio/');
    const { part, settings } = await startMinio(folder, objectSecret);
    keep(part);
    return settings;
  }

  async function makeWorkspace(environment: NodeJS.ProcessEnv): Promise<void> {
    const file = join(folder, 'config.yaml');
    if (existsSync(file)) return;
    const named = ['--slug', 'demo', '--name', 'Demo', '--manager', 'admin', '--config', file];
    const lines: string[] = [];
    const collect = (line: string): void => void lines.push(line);
    const code = await runOperator(['workspace-create', ...named], { environment, out: collect, err: collect });
    for (const line of lines) say(line);
    if (code !== 0) throw new SplitFailure('the first workspace cannot be made; see above, then start again');
  }

  async function startServices(environment: NodeJS.ProcessEnv, addresses: Map<SplitRole, string>): Promise<void> {
    const program = options.program ?? join(REPOSITORY, 'apps/server/src/main.ts');
    const services = SPLIT_ROLES.map((role) => ({
      role,
      part: keep(startService(folder, role, program, environment)),
    }));
    await Promise.all(services.map(async ({ role, part }) => addresses.set(role, await part.ready)));
  }

  async function openProxy(port: number, addresses: ReadonlyMap<SplitRole, string>): Promise<void> {
    const table = JSON.parse(await readFile(join(REPOSITORY, 'deploy/proxy/routing.json'), 'utf8')) as RoutingTable;
    const instancesOf = (role: SplitRole): readonly string[] => [addresses.get(role) ?? []].flat();
    const proxy = await openPathProxy({ table, port, instancesOf }).catch((error: unknown) => {
      const advice = 'end the program that uses it, or make a new folder with --data FOLDER --port NUMBER';
      throw new SplitFailure(`port ${port} is taken; ${advice}`, { cause: error });
    });
    closers.push(() => proxy.close());
    states.push(() => ({ name: 'proxy', state: 'running', pid: process.pid, at: `http://localhost:${port}` }));
  }
}

function startService(folder: string, role: SplitRole, program: string, environment: NodeJS.ProcessEnv): Part {
  const options = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning'];
  return startPart({
    name: role,
    folder,
    command: [process.execPath, ...options, program, '--stages', ROLES[role].join()],
    environment,
    addressIn: (line) => /^answer-evidence: ready at (\S+) as/.exec(line)?.[1],
    metricsIn(line) {
      const port = /^answer-evidence: metrics at port (\d+)$/.exec(line)?.[1];
      return port === undefined ? undefined : `http://127.0.0.1:${port}/metrics`;
    },
  });
}

async function readKept(folder: string, { port, objects }: StartOptions): Promise<Kept> {
  const place = objects ?? findObjectPlace(process.env);
  let kept: Kept;
  try {
    kept = JSON.parse(await readFile(join(folder, KEPT), 'utf8')) as Kept;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return { port: port ?? PORT_DEFAULT, objects: place, objectSecret: createSecret() };
  }
  assertSamePlace(kept.objects, place, folder);
  if (port !== undefined && port !== kept.port)
    throw new SplitFailure(
      `${folder} was made for port ${kept.port}, which is in the address of its workspace; leave --port out, or choose another folder with --data`,
    );
  return kept;
}

async function connectTo(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
