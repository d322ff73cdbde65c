import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { openTestDatabase } from '@answer-evidence/testing';
import { openTestService, type TestService } from '../../tools/scenery/test-service.ts';

/** Where the files of the first format version are. */
export const FROZEN = join(import.meta.dirname, 'v1');

const MIGRATIONS = join(import.meta.dirname, '../../libs/adapters/postgres/src/migrations');

/** What is known of the frozen installation. */
export type Installation = {
  readonly frozen_at: string;
  readonly tokens: { readonly demo: string; readonly acme: string };
  readonly records: Readonly<Record<string, string>>;
  readonly acme_record: string;
  readonly runs: readonly string[];
  readonly migrations: readonly string[];
};

/** Reads the description of the installation. */
export async function readInstallation(): Promise<Installation> {
  return JSON.parse(await readFile(join(FROZEN, 'installation.json'), 'utf8')) as Installation;
}

/** Reads one of the compressed files. */
export async function readCompressed(name: string): Promise<string> {
  return gunzipSync(await readFile(join(FROZEN, name))).toString();
}

/** Starts the present service on a copy of the frozen installation. The caller closes it. */
export async function openFrozen(): Promise<TestService> {
  const database = await openTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-frozen-'));
  await restore(database.url, (await readInstallation()).migrations);
  await cp(join(FROZEN, 'installation'), dataDir, { recursive: true });
  // A repository keeps no such modes.
  await chmod(join(dataDir, 'master.key'), 0o600);
  await chmod(join(dataDir, 'config.yaml'), 0o600);
  const service = await openTestService({
    share: { databaseUrl: database.url, dataDir },
    environment: { SERVICE_BASE_URL: 'https://evidence.example', SERVICE_OTLP_WAIT_SECONDS: '5' },
  });
  return {
    ...service,
    async close() {
      await service.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Brings an empty database to the schema of then, not to that of today, and puts the rows into it. */
async function restore(url: string, migrations: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('drop schema answer_evidence cascade');
    await client.query('delete from public.answer_evidence_migrations');
    for (const name of migrations) {
      await client.query(await readFile(join(MIGRATIONS, name), 'utf8'));
      await client.query('insert into public.answer_evidence_migrations (name) values ($1)', [name]);
    }
    await client.query(await readCompressed('database.sql.gz'));
  } finally {
    await client.end();
  }
}
