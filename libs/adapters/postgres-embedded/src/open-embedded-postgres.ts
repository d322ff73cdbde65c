import { randomUUID } from 'node:crypto';
import { connectWhenReady, PortTakenError } from './connect-when-ready.ts';
import {
  type DataDir,
  formatUrl,
  getPassword,
  openDataDir,
  replaceFile,
  serviceDatabase,
  withDataDirErrors,
} from './data-dir.ts';
import { type DataDirLock, openDataDirLock } from './data-dir-lock.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findPort, isPortFree } from './free-port.ts';
import { initCluster } from './init-cluster.ts';
import { stopLeftoverServers } from './leftover-servers.ts';
import { type NativeBinaries, openNativeBinaries } from './native-binaries.ts';
import { findRunAs, type RunAs } from './run-as.ts';
import { openPulse } from './server-pulse.ts';
import { planSettings, type ServerSettings } from './server-settings.ts';
import { type ServerExit, type StartedServer, startServer } from './start-server.ts';

/** What to open, and how. */
export type EmbeddedPostgresOptions = {
  /** The folder that holds all of it; made with mode 0700 when missing. Its parents may be closed to other users. */
  readonly dataDir: string;
  /** A port of 127.0.0.1; by default that of the last start while it is free, else any free one. */
  readonly port?: number;
  /** Receives the lines of the server's log. */
  readonly log?: (line: string) => void;
  /** Settings of PostgreSQL over the defaults; a test may switch `fsync` off. */
  readonly settings?: ServerSettings;
};

/** A running PostgreSQL that belongs to this process and stops with it, also when it is killed. */
export type EmbeddedPostgres = {
  /** The superuser's URL, with the password, of the database `answer_evidence`. */
  readonly url: string;
  /** Whether this start made the data directory. */
  readonly firstStart: boolean;
  readonly pid: number;
  /** Ends the server and gives the data directory free; resolves also when it has ended before. */
  close(): Promise<void>;
  /** Resolves when the postmaster has ended, asked or not, and the data directory can be opened again. */
  readonly exited: Promise<ServerExit>;
};

/**
 * Starts the PostgreSQL of a data directory, after recovery if it was killed, and resolves when it accepts connections.
 * Servers that a killed parent left running are ended first. Throws `EmbeddedPostgresError`, and then leaves no
 * process.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return withDataDirErrors(options.dataDir, async () => {
    const dir = await openDataDir(options.dataDir);
    const lock = await openDataDirLock(dir.path);
    try {
      return await openLocked(dir, lock, options);
    } catch (error) {
      lock.close();
      throw error;
    }
  });
}

async function openLocked(
  dir: DataDir,
  lock: DataDirLock,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const runAs = await findRunAs(dir.path, dir.cluster);
  const binaries = await openNativeBinaries(runAs);
  await stopLeftoverServers(dir);
  const firstStart = await initCluster(dir, binaries, runAs, options.settings?.['fsync'] !== 'off');
  const password = await getPassword(dir);
  const { server, port } = await startOnPort(dir, binaries, runAs, password, options);
  const exited = server.exited.then((exit) => {
    lock.close();
    return exit;
  });
  return {
    url: formatUrl(port, password, serviceDatabase),
    firstStart,
    pid: server.pid,
    exited,
    close: async () => {
      await server.stop();
      await exited;
    },
  };
}

async function startOnPort(
  dir: DataDir,
  binaries: NativeBinaries,
  runAs: RunAs,
  password: string,
  options: EmbeddedPostgresOptions,
): Promise<{ readonly server: StartedServer; readonly port: number }> {
  const fixed = options.port;
  for (let attempt = 1; ; attempt += 1) {
    const port = fixed ?? (await findPort(dir));
    if (fixed !== undefined && !(await isPortFree(fixed))) throw portInUse(fixed);
    const startId = randomUUID();
    const settings = planSettings({ serverName: dir.serverName, port, startId }, options.settings ?? {});
    const pulse = await openPulse(dir);
    const log = options.log ?? (() => undefined);
    let server: StartedServer;
    try {
      server = await startServer(binaries.postgres, runAs, dir.cluster, settings, pulse.fd, log);
    } finally {
      await pulse.close();
    }
    try {
      await connectWhenReady(server, { port, password, startId });
      await replaceFile(dir, dir.portFile, `${port}\n`, runAs);
      return { server, port };
    } catch (error) {
      await server.stop();
      if (!(error instanceof PortTakenError)) throw error;
      if (fixed !== undefined || attempt === 3) throw portInUse(port);
    }
  }
}

function portInUse(port: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError('port_in_use', `another program listens on 127.0.0.1:${port}`);
}
