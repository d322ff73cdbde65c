import { join } from 'node:path';
import { writeFileAtomically } from '@answer-evidence/filesystem';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  findRunningPostgres,
  openEmbeddedPostgres,
} from '@answer-evidence/postgres-embedded';
import type { Config } from '../ground/config.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';
import { keepPostgresRunning } from './keep-postgres-running.ts';

const TELL_AFTER_MS = 1_000;

/** A database to work on; anyone who opened it closes it. The password of its owner in the URL may change. */
export type OpenedDatabase = { readonly url: string; close(): Promise<void> };

/** The database of the settings: the one that `DATABASE_URL` names, or the embedded one, kept running until `close`. */
export async function openDatabase(config: Config, report: Report): Promise<OpenedDatabase> {
  const { DATABASE_URL: first } = config;
  if (first !== undefined)
    return {
      get url() {
        return config.DATABASE_URL ?? first;
      },
      close: () => Promise.resolve(),
    };
  return openEmbedded(config, report);
}

/** As `openDatabase`, but joins an embedded PostgreSQL that a running service holds. For operator commands. */
export async function joinDatabase(config: Config, report: Report): Promise<OpenedDatabase> {
  if (config.DATABASE_URL === undefined) {
    const running = await withStartErrors(() => findRunningPostgres(embeddedDir(config)));
    if (running !== undefined) return { url: running.url, close: () => Promise.resolve() };
  }
  return openDatabase(config, report);
}

/** Where the embedded PostgreSQL has its files. */
export function embeddedDir(config: Config): string {
  return join(config.SERVICE_DATA_DIR, 'postgres');
}

async function openEmbedded(config: Config, report: Report): Promise<OpenedDatabase> {
  const dataDir = embeddedDir(config);
  const first = await openAndTell(dataDir, report);
  const { url } = first;
  // A later start takes the same port, so that the URL stays good for anyone who holds it.
  const port = Number(new URL(url).port);
  const close = keepPostgresRunning(
    first,
    () => withStartErrors(() => openEmbeddedPostgres({ dataDir, port })),
    report,
  );
  try {
    await writeFileAtomically(join(config.SERVICE_DATA_DIR, 'postgres.url'), `${url}\n`, 0o600);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

/** The first start makes the database, and one after a crash recovers it: anyone who waits for that is told. */
async function openAndTell(dataDir: string, report: Report): Promise<EmbeddedPostgres> {
  const slow = setTimeout(() => report('starting PostgreSQL'), TELL_AFTER_MS);
  try {
    return await withStartErrors(() => openEmbeddedPostgres({ dataDir }));
  } finally {
    clearTimeout(slow);
  }
}

/** What the embedded PostgreSQL says about itself, with what to do about it, in one line. */
async function withStartErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    const what = error.message
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' | ');
    throw new StartError(`${what}. ${error.remedy}`, { cause: error });
  }
}
