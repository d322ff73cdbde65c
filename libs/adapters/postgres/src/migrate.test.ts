import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { openTestPostgres } from '@answer-evidence/testing';
import { isMigrated, migrate } from './migrate.ts';
import { openPool } from './pool.ts';

/** Of those who migrate. */
const LOCK_KEY = 4_171_930_017;

const ONLINE = '0052_key_index_online_additive.sql';

type Database = { readonly url: string; query(sql: string): Promise<readonly Record<string, unknown>[]> };

const NAMES: string[] = [];
let serverUrl: string;
let closeServer: () => Promise<void>;

async function run(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function createDatabase(server: string): Promise<Database> {
  const name = `migrate_${randomBytes(8).toString('hex')}`;
  await run(server, `create database ${name}`);
  NAMES.push(name);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, query: (sql) => run(url.href, sql) };
}

beforeAll(async () => {
  const server = await openTestPostgres();
  serverUrl = server.url;
  closeServer = () => server.close();
});

afterAll(async () => {
  for (const name of NAMES) await run(serverUrl, `drop database if exists ${name} with (force)`);
  await closeServer();
});

describe('a migration', () => {
  it('is applied once when several processes start together', async () => {
    const database = await createDatabase(serverUrl);
    const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(database.url)));
    const [all] = applied.filter((names) => names.length > 0);
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    expect(all).toContain('0001_ledger.sql');
    // Each has a number of its own, so that their order is that in which they were written.
    expect(new Set(all?.map((name) => name.slice(0, 4))).size).toBe(all?.length);
    expect(await database.query('select name from public.answer_evidence_migrations order by name')).toEqual(
      all?.map((name) => ({ name })),
    );
    expect(await migrate(database.url)).toEqual([]);
  });

  it('of several databases of a cluster that has never seen the service may run at once', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'answer-evidence-migrate-'));
    const postgres = await openEmbeddedPostgres({ dataDir: join(dir, 'postgres'), settings: { fsync: 'off' } });
    try {
      const databases = [];
      for (let n = 0; n < 8; n++) databases.push(await createDatabase(postgres.url));
      const applied = await Promise.all(databases.map(({ url }) => migrate(url)));
      for (const names of applied) expect(names).toContain('0001_ledger.sql');
    } finally {
      await postgres.close();
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('refuses a database of a newer release, names what it does not know, and leaves it alone', async () => {
    const database = await createDatabase(serverUrl);
    await migrate(database.url);
    await database.query(`insert into public.answer_evidence_migrations (name) values ('9999_later.sql')`);
    await expect(migrate(database.url)).rejects.toThrow('newer release (9999_later.sql)');
    await database.query('drop schema answer_evidence cascade');
    await database.query(`delete from public.answer_evidence_migrations where name <> '9999_later.sql'`);
    await expect(migrate(database.url)).rejects.toThrow('newer release');
    expect(await database.query(`select 1 from pg_namespace where nspname = 'answer_evidence'`)).toEqual([]);
  });

  it('of a newer release that is additive leaves this release as it was', async () => {
    const database = await createDatabase(serverUrl);
    await migrate(database.url);
    await database.query(`insert into public.answer_evidence_migrations (name) values ('9998_later_additive.sql')`);
    expect(await migrate(database.url)).toEqual([]);
  });

  it('that fails leaves nothing of itself', async () => {
    const database = await createDatabase(serverUrl);
    // The schema is there already, so the first statement is refused; with a later one refused it is the same.
    await database.query('create schema answer_evidence');
    await expect(migrate(database.url)).rejects.toThrow('already exists');
    expect(await database.query('select name from public.answer_evidence_migrations')).toEqual([]);
    await database.query('drop schema answer_evidence');
    expect(await migrate(database.url)).toContain('0001_ledger.sql');
  });

  it('that is online holds up no writer, nor those who wait for their turn', async () => {
    const database = await createDatabase(serverUrl);
    await migrate(database.url);
    await database.query(`delete from public.answer_evidence_migrations where name = '${ONLINE}'`);
    await database.query('drop index answer_evidence.answer_records_used_key');
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    try {
      // One who writes and does not end holds up the migration, and nobody else.
      await writer.query('begin');
      await writer.query('lock table answer_evidence.answer_records in row exclusive mode');
      let waiting = 0;
      const both = Promise.all([1, 2].map(() => migrate(database.url, () => void waiting++)));
      const isBuilding = async () =>
        (await database.query(`select 1 from pg_stat_progress_create_index where phase like 'waiting%'`)).length > 0;
      while (!(await isBuilding()) || waiting === 0) await Promise.race([both, new Promise(setImmediate)]);
      await database.query(
        `begin; set local lock_timeout = '4s'; lock table answer_evidence.answer_records in row exclusive mode; commit`,
      );
      await writer.query('commit');
      expect((await both).flat()).toEqual([ONLINE]);
    } finally {
      await writer.end();
    }
  });

  it('that is online and was cut off goes on', async () => {
    const database = await createDatabase(serverUrl);
    await migrate(database.url);
    await database.query(`delete from public.answer_evidence_migrations where name = '${ONLINE}'`);
    await database.query(
      `update pg_index set indisvalid = false where indexrelid = 'answer_evidence.answer_records_used_key'::regclass`,
    );
    expect(await migrate(database.url)).toEqual([ONLINE]);
    expect(
      await database.query(
        `select indisvalid, indisunique from pg_index
           where indexrelid = 'answer_evidence.answer_records_used_key'::regclass`,
      ),
    ).toEqual([{ indisvalid: true, indisunique: true }]);
  });

  it('is found unneeded over a connection that is open, unless somebody may be making one', async () => {
    const database = await createDatabase(serverUrl);
    const owner = openPool({ url: database.url, role: 'owner', connectionsMax: 2, onError: () => undefined });
    try {
      expect(await isMigrated(owner)).toBe(false);
      await migrate(database.url);
      expect(await Promise.all([isMigrated(owner), isMigrated(owner)])).toEqual([true, true]);
      const other = await owner.connect();
      await other.query('select pg_advisory_lock($1)', [LOCK_KEY]);
      expect(await isMigrated(owner)).toBe(false);
      await other.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
      other.release();
      await database.query(`delete from public.answer_evidence_migrations where name like '0001%'`);
      expect(await isMigrated(owner)).toBe(false);
      await database.query(`insert into public.answer_evidence_migrations (name) values ('9999_later.sql')`);
      await expect(isMigrated(owner)).rejects.toThrow('newer release (9999_later.sql)');
    } finally {
      await owner.end();
    }
  });

  it('is refused when the database cannot be reached', async () => {
    const url = new URL(serverUrl);
    url.pathname = '/there_is_no_such_database';
    await expect(migrate(url.href)).rejects.toThrow('does not exist');
  });
});
