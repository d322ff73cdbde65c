import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { citusVariable } from './citus-nodes.ts';

/** The variable that names the PostgreSQL of a test run: its superuser's URL. */
export const testPostgresVariable = 'TEST_POSTGRES_URL';

/** A PostgreSQL for tests; anyone who opened it closes it. */
export type TestPostgres = { readonly url: string; close(): Promise<void> };

/** The test run's PostgreSQL, named by global setup or environment, or one started here that closing removes. */
export async function openTestPostgres(): Promise<TestPostgres> {
  const url = process.env[testPostgresVariable] ?? process.env[citusVariable];
  return url === undefined || url === '' ? startTestPostgres() : { url, close: () => Promise.resolve() };
}

/** Starts a PostgreSQL in a temporary folder, without durability: a test loses nothing in a power cut. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'answer-evidence-test-'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  try {
    const postgres = await openEmbeddedPostgres({
      dataDir: join(dir, 'postgres'),
      settings: {
        fsync: 'off',
        full_page_writes: 'off',
        wal_compression: 'off',
        // It would start a process for each of hundreds of databases in turn, none of which lives for long.
        autovacuum: 'off',
        // Each worker of Jest holds pools of its own.
        max_connections: '400',
      },
    });
    return {
      url: postgres.url,
      close: async () => {
        await postgres.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
