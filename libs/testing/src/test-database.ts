import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { MasterVault } from '@answer-evidence/ports';
import {
  distribute,
  migrate,
  openLogins,
  openPool,
  sealRows,
  type ServiceUrls,
  sessionOf,
} from '@answer-evidence/postgres';
import { findNodes, joinNodes, TEST_SHARDS } from './citus-nodes.ts';
import { openTestPostgres } from './postgres-server.ts';

/** A database of its own for one test file, with the newest schema. `url` is the superuser's. */
export type TestDatabase = { readonly url: string; close(): Promise<void> };

/** The variable that names the migrated database that each test file's own is copied from. */
export const templateVariable = 'TEST_POSTGRES_TEMPLATE';

/** Makes a migrated database, a copy of the run's template or else migrated here. `close` drops it. */
export async function openTestDatabase(prefix = 'test'): Promise<TestDatabase> {
  const server = await openTestPostgres();
  const template = process.env[templateVariable];
  const { url, drop } = await createDatabase(server.url, prefix, template);
  if (template === undefined) await migrateAndSpread(url, await findNodes(server.url));
  return {
    url,
    async close() {
      await drop();
      await server.close();
    },
  };
}

/** Makes the database that the test files of a process share; it is dropped with the template. */
export function openSharedDatabase(): Promise<TestDatabase> {
  return openTestDatabase(process.env[templateVariable]);
}

/** Makes a database with nothing in it, as an administrator hands one over. `close` drops it. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  const server = await openTestPostgres();
  const { url, drop } = await createDatabase(server.url, 'test');
  return {
    url,
    async close() {
      await drop();
      await server.close();
    },
  };
}

/** The URLs with which connections of the service log in to a test database. */
export async function openTestLogins(url: string): Promise<ServiceUrls> {
  const owner = openPool({ url, role: 'owner', connectionsMax: 1, onError: () => undefined });
  try {
    return await openLogins(url, owner, (login) => `password of ${login}`);
  } finally {
    await owner.end();
  }
}

/**
 * A database to copy others from, as a start leaves it before it makes logins: with the newest schema, and that of its
 * queues. Nobody can connect to it, since a database in use is not copied.
 */
export async function createTemplateDatabase(serverUrl: string): Promise<{ name: string; drop: () => Promise<void> }> {
  const { name, url, drop } = await createDatabase(serverUrl, 'test');
  const nodes = await findNodes(serverUrl);
  await migrateAndSpread(url, nodes);
  // Loaded by nobody who only copies.
  const { migrateQueues } = await import('@answer-evidence/bullmq/migrate-queues');
  await migrateQueues(url, sessionOf);
  for (const node of nodes) await closeDatabase(serverOf(node), name);
  return {
    name,
    async drop() {
      const text = `select datname as name from pg_database where starts_with(datname, $1)`;
      const shared = await serverOf(serverUrl).query<{ name: string }>(text, [`${name}_`]);
      for (const one of shared.rows) await dropEverywhere(nodes, one.name);
      await drop();
    },
  };
}

async function migrateAndSpread(url: string, nodes: readonly string[]): Promise<void> {
  await migrate(url);
  if (nodes.length > 1) await distribute(url, { shards: TEST_SHARDS, onStep: () => undefined });
}

/** Lets nobody connect any more; what a cluster keeps running in each of its databases ends as well. */
async function closeDatabase(server: pg.Pool, name: string): Promise<void> {
  await server.query(`alter database ${name} allow_connections false`);
  await server.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
}

async function createDatabase(
  serverUrl: string,
  prefix: string,
  template?: string,
): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  const name = `${prefix}_${randomBytes(8).toString('hex')}`;
  // Copying the files takes a fraction of the processor time of logging every page.
  const copied = template === undefined ? '' : ` template ${template} strategy file_copy`;
  const nodes = await findNodes(serverUrl);
  for (const node of nodes) await serverOf(node).query(`create database ${name}${copied}`);
  const urls = nodes.map((node) => urlOf(node, name));
  if (nodes.length > 1 && template === undefined) await joinNodes(urls);
  return { name, url: urlOf(serverUrl, name), drop: () => dropEverywhere(nodes, name) };
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function dropEverywhere(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) await dropDatabase(serverOf(node), name);
}

const servers = new Map<string, pg.Pool>();

/** The superuser's connection to a server, one for all test files of a process; it keeps no process from ending. */
function serverOf(url: string): pg.Pool {
  let server = servers.get(url);
  if (server === undefined) {
    server = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
    // The server may end first.
    server.on('error', () => undefined);
    servers.set(url, server);
  }
  return server;
}

/** Drops a database with its logins: roles belong to the server and would outlive it. */
async function dropDatabase(server: pg.Pool, name: string): Promise<void> {
  const { rows } = await server.query<{ login: string }>(
    `select rolname as login from pg_roles, pg_database d where d.datname = $1
       and rolname in ('answer_evidence_app_' || d.oid, 'answer_evidence_relay_' || d.oid)`,
    [name],
  );
  await server.query(`drop database if exists ${name} with (force)`);
  for (const { login } of rows) await server.query(`drop role if exists ${login}`);
}

/** Makes the row of an installation whose master key is the vault's, as the first start does. */
export async function prepareInstallation(pool: pg.Pool, vault: MasterVault): Promise<void> {
  await pool.query('insert into answer_evidence.installation (master_key_check) values ($1)', [new Uint8Array(1)]);
  await sealRows(pool, vault);
}
