import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { type CheckResult, fault, fine, skipped } from '@answer-evidence/ports';
import { openOwnerClient } from './open-owner-client.ts';

const LOCK_KEY = 4_171_930_017;
const TABLE_LOCK_MAX = '5s';
/** A migration that leaves everything as it was for the release before it, which may go on and start beside it. */
const ADDITIVE = /_additive\.sql$/;
const DIRECTORY = fileURLToPath(new URL('./migrations/', import.meta.url));

/** A migration that holds up nobody, however long it takes: its statements have no transaction around them. */
const ONLINE = /_online(?:_additive)?\.sql$/;
const TURN_POLL_MS = 100;

/**
 * Brings the database to the newest schema: numbered SQL files, each in a transaction of its own or online, under an
 * advisory lock so that several starters take turns. Refuses a database that a newer release has changed for this one.
 * Returns what was applied. `onWait` is told that another process is at it.
 */
export async function migrate(url: string, onWait: () => void = () => undefined): Promise<readonly string[]> {
  // A change of a table that waits for a lock holds up everyone who reads that table.
  const client = await openOwnerClient(url, { own: { lock_timeout: TABLE_LOCK_MAX } });
  try {
    const { rows } = await client.query<{ is_free: boolean }>('select pg_try_advisory_lock($1) as is_free', [LOCK_KEY]);
    if (rows[0]?.is_free !== true) {
      onWait();
      await waitForTurn(client);
    }
    await client.query(
      `create table if not exists public.answer_evidence_migrations
         (name text primary key, applied_at timestamptz not null default now())`,
    );
    const { pending, unknown } = await compareMigrations(client);
    if (unknown.length > 0) throw new Error(describeNewer(unknown));
    for (const name of pending) {
      const sql = await readFile(new URL(name, `file://${DIRECTORY}`), 'utf8');
      await (ONLINE.test(name) ? applyOnline : applyAtOnce)(client, name, sql);
    }
    return pending;
  } finally {
    await client.end();
  }
}

const NOTE = 'insert into public.answer_evidence_migrations (name) values ($1)';

async function applyAtOnce(client: pg.Client, name: string, sql: string): Promise<void> {
  await client.query('begin');
  await client.query(await skipMadeRoles(client, sql));
  await client.query(NOTE, [name]);
  await client.query('commit');
}

/**
 * Each statement commits by itself and does nothing where it was done before, so that a migration that was cut off goes
 * on at the next start. An index that was being built then is left invalid, and is built anew.
 */
async function applyOnline(client: pg.Client, name: string, sql: string): Promise<void> {
  // These wait for transactions that have begun, such as a check of the ledger, and nobody waits for them meanwhile.
  await client.query('set lock_timeout = 0');
  const { rows } = await client.query<{ index: string }>(
    `select indexrelid::regclass::text as index from pg_index join pg_class on pg_class.oid = indexrelid
       where relnamespace = 'answer_evidence'::regnamespace and not indisvalid`,
  );
  for (const { index } of rows) await client.query(`drop index concurrently if exists ${index}`);
  for (const statement of statementsOf(sql)) await client.query(statement);
  await client.query(NOTE, [name]);
  await client.query(`set lock_timeout = '${TABLE_LOCK_MAX}'`);
}

/** A semicolon ends a line only where it ends a statement. */
function statementsOf(sql: string): readonly string[] {
  return sql
    .replaceAll(/^--.*$/gm, '')
    .split(/;$/m)
    .filter((statement) => statement.trim() !== '');
}

/**
 * Of another process, which may have much to do. It is asked again and again, since a statement that waited for the
 * lock would have a snapshot, for whose end an index that is built online waits.
 */
async function waitForTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_free: boolean }>('select pg_try_advisory_lock($1) as is_free', [LOCK_KEY]);
    if (rows[0]?.is_free === true) return;
    await delay(TURN_POLL_MS);
  }
}

/**
 * Whether the database has the newest schema and nobody is changing it, over a connection that is open: what `migrate`
 * would leave as it is. Refuses what `migrate` refuses. Several starters look side by side.
 */
export async function isMigrated(owner: pg.Pool): Promise<boolean> {
  const client = await owner.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ is_there: boolean; is_free: boolean }>(
      `select to_regclass('public.answer_evidence_migrations') is not null as is_there,
         pg_try_advisory_xact_lock_shared($1) as is_free`,
      [LOCK_KEY],
    );
    if (rows[0]?.is_there !== true || !rows[0].is_free) return false;
    const { pending, unknown } = await compareMigrations(client);
    if (unknown.length > 0) throw new Error(describeNewer(unknown));
    return pending.length === 0;
  } finally {
    // A connection that broke meanwhile has nothing to give back.
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** Which migrations of this release a database lacks, and which it has that this release does not know. */
type Migrations = { readonly pending: readonly string[]; readonly unknown: readonly string[] };

async function compareMigrations(client: Pick<pg.ClientBase, 'query'>): Promise<Migrations> {
  const { rows } = await client.query<{ name: string }>('select name from public.answer_evidence_migrations');
  const applied = new Set(rows.map((row) => row.name));
  const files = await listMigrations();
  return {
    pending: files.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !files.includes(name) && !ADDITIVE.test(name)),
  };
}

async function listMigrations(): Promise<readonly string[]> {
  return (await readdir(DIRECTORY)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
}

function describeNewer(unknown: readonly string[]): string {
  return `the database was migrated by a newer release (${unknown.join(', ')}); run that release`;
}

/** The result of the check `database.schema`: what a start would migrate, which this does not. */
export async function judgeSchema(owner: pg.Pool): Promise<CheckResult> {
  const { rows } = await owner.query<{ is_there: boolean }>(
    `select to_regclass('public.answer_evidence_migrations') is not null as is_there`,
  );
  if (rows[0]?.is_there !== true) return skipped('the database is empty; the first start makes the schema');
  const { pending, unknown } = await compareMigrations(owner);
  if (unknown.length > 0) return fault(describeNewer(unknown));
  return fine(pending.length === 0 ? 'is the newest' : `the next start makes ${pending.length} migrations`);
}

/**
 * PostgreSQL refuses `create role` to a user who may not make any, also where the role is there. So the roles that an
 * administrator has made are left out.
 */
async function skipMadeRoles(client: pg.Client, sql: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select rolname as name from pg_roles');
  const made = new Set(rows.map(({ name }) => name));
  return sql.replaceAll(/create role (\w+) nologin;/g, (statement, name: string) =>
    made.has(name) ? 'null;' : statement,
  );
}
