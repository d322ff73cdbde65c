import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'minio';
import { openPathProxy } from '../proxy/path-proxy.ts';
import { createRoutingTable, ownedPaths, SPLIT_ROLES, type SplitRole } from '../proxy/routing-table.ts';
import { type ServiceProcess, startRole } from './service-process.ts';
import type { SplitPlace } from './split-place.ts';

/** One process of a role, which a test may end in any way and start again. */
type SplitProcess = {
  readonly role: SplitRole;
  /** The process as it is now, or as it was. */
  current(): ServiceProcess;
  /** Starts it again after its end, from the bundle of another release if one is named; waits until it is ready. */
  start(server?: string): Promise<void>;
};

/** The five processes of one host behind the proxy; anyone who opened it closes it. */
export type SplitInstallation = SplitPlace & {
  readonly processes: readonly SplitProcess[];
  /** The processes of a role. */
  of(role: SplitRole): readonly SplitProcess[];
  /** Ends everything. Rejects when a process sent a reply that the API description does not allow. */
  close(): Promise<void>;
};

/** What the processes share. */
type SharedStores = {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** The S3 settings; without them, files. */
  readonly bucket: Readonly<Record<string, string>>;
};

/** Starts so many processes of each role. Settings in `environment` win. */
export async function openSplitInstallation(
  { bucket, databaseUrl, redisUrl }: SharedStores,
  options: {
    readonly instances?: number;
    readonly environment?: Readonly<Record<string, string>>;
    /** For the first instance of each role. */
    readonly environmentOfFirst?: Readonly<Record<string, string>>;
    /** Where the proxy reaches a process that listens at this address, if anything lies between them. */
    readonly reachAt?: (role: SplitRole, address: string) => string;
  } = {},
): Promise<SplitInstallation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-split-'));
  const addresses = new Map<SplitProcess, string>();
  const started: ServiceProcess[] = [];
  const table = createRoutingTable(ownedPaths());
  const instancesOf = (role: SplitRole): readonly string[] =>
    [...addresses].flatMap(([process, address]) => (process.role === role ? [address] : []));
  const proxy = await openPathProxy({ table, port: 0, instancesOf });
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SERVICE_MASTER_KEY: randomBytes(32).toString('base64'),
    SERVICE_DATA_DIR: dataDir,
    SERVICE_BASE_URL: proxy.url,
    SERVICE_CONSOLE_UPSTREAM: proxy.url,
    SERVICE_TRUSTED_PROXIES: '1',
    SERVICE_LOG_LEVEL: 'error',
    ...bucket,
    ...options.environment,
  };

  function createProcess(role: SplitRole, index: number): SplitProcess {
    const own = { ...environment, ...(index === 0 ? options.environmentOfFirst : {}) };
    let current: ServiceProcess | undefined;
    const process: SplitProcess = {
      role,
      current() {
        if (current === undefined) throw new Error(`${role} was never started`);
        return current;
      },
      async start(server) {
        current = startRole(role, { dataDir, environment: own, ...(server === undefined ? {} : { server }) });
        started.push(current);
        const address = await current.ready;
        addresses.set(process, options.reachAt?.(role, address) ?? address);
      },
    };
    return process;
  }

  const count = options.instances ?? 1;
  const processes = SPLIT_ROLES.flatMap((role) =>
    Array.from({ length: count }, (_, index) => createProcess(role, index)),
  );
  async function close(): Promise<void> {
    for (const process of started) process.kill('SIGCONT');
    await Promise.all(started.map((process) => process.stop()));
    await proxy.close();
    await rm(dataDir, { recursive: true, force: true });
    const faults = started.flatMap(({ stderr }) => stderr.filter((line) => line.includes('undocumented reply')));
    if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
  }
  try {
    // The first migrates and makes the key of the installation; the others would wait for it.
    await Promise.all(processes.map((process) => process.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: proxy.url,
    databaseUrl,
    environment,
    processes,
    of: (role) => processes.filter((process) => process.role === role),
    close,
  };
}

/** Makes a bucket on an S3 server: the settings that name it. */
export async function makeBucket(server: {
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
}): Promise<Readonly<Record<string, string>>> {
  const { accessKey, secretKey, url } = server;
  const bucket = `evidence-${randomUUID()}`;
  const place = { endPoint: '127.0.0.1', port: Number(new URL(url).port), useSSL: false, region: 'us-east-1' };
  await new Client({ ...place, accessKey, secretKey }).makeBucket(bucket);
  return { S3_ENDPOINT: url, S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey };
}
