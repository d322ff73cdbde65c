import { join } from 'node:path';
import { writeFileAtomically } from '@answer-evidence/filesystem';
import { isConnectionFailure, sqlState } from '@answer-evidence/postgres';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  findRunningPostgres,
  openEmbeddedPostgres,
} from '@answer-evidence/postgres-embedded';
import type { Config } from './config.ts';
import type { Report } from './report.ts';
import { StartError } from './start-error.ts';

const RESTART_DELAY_MS = 200;

/** A database to work on; whoever opened it closes it. */
export type OpenedDatabase = { readonly url: string; close(): Promise<void> };

/** The database of the settings: the one that `DATABASE_URL` names, or the embedded one, kept running until `close`. */
export async function openDatabase(config: Config, report: Report): Promise<OpenedDatabase> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, close: () => Promise.resolve() };
  return openEmbedded(config, report);
}

/** As `openDatabase`, but joins an embedded PostgreSQL that a running service holds. For operator commands. */
export async function joinDatabase(config: Config, report: Report): Promise<OpenedDatabase> {
  if (config.DATABASE_URL === undefined) {
    const running = await findRunningPostgres(embeddedDir(config));
    if (running !== undefined) return { url: running.url, close: () => Promise.resolve() };
  }
  return openDatabase(config, report);
}

function embeddedDir(config: Config): string {
  return join(config.SERVICE_DATA_DIR, 'postgres');
}

async function openEmbedded(config: Config, report: Report): Promise<OpenedDatabase> {
  const start = (port?: number) =>
    openEmbeddedPostgres({ dataDir: embeddedDir(config), ...(port === undefined ? {} : { port }) });
  let running: EmbeddedPostgres;
  try {
    running = await start();
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw new StartError(error.remedy);
    throw error;
  }
  const { url } = running;
  const port = Number(new URL(url).port);
  await writeFileAtomically(join(config.SERVICE_DATA_DIR, 'postgres.url'), `${url}\n`, 0o600);
  let closing = false;

  // PostgreSQL may be killed under us; it recovers by itself when it is started again, at the same address.
  async function keepRunning(): Promise<void> {
    while (!closing) {
      await running.exited;
      if (closing) return;
      report('PostgreSQL has ended unexpectedly; starting it again');
      try {
        running = await start(port);
      } catch (error) {
        report(`PostgreSQL does not start: ${error instanceof Error ? error.message : 'unknown reason'}`);
        await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
      }
    }
  }
  const keeping = keepRunning();

  return {
    url,
    async close() {
      closing = true;
      await running.close();
      await keeping;
    },
  };
}

/** A first contact that failed, as one sentence that says what to do; the URL's password is never shown. */
export function databaseStartError(error: unknown, config: Config): unknown {
  if (config.DATABASE_URL === undefined) return error;
  const { hostname, port, pathname, username } = new URL(config.DATABASE_URL);
  const where = `${hostname}:${port === '' ? '5432' : port}`;
  const state = sqlState(error);
  if (state === '28P01' || state === '28000')
    return new StartError(`PostgreSQL at ${where} refuses the user "${username}"; correct DATABASE_URL`);
  if (state === '3D000')
    return new StartError(
      `PostgreSQL at ${where} has no database "${pathname.slice(1)}"; make it or correct DATABASE_URL`,
    );
  if (state === '42501')
    return new StartError(
      `the user "${username}" may not make schemas or roles at ${where}; use the database's owner in DATABASE_URL`,
    );
  if (isConnectionFailure(error))
    return new StartError(`no PostgreSQL answers at ${where}; start it or correct DATABASE_URL`);
  return error;
}
