import { randomBytes } from 'node:crypto';
import { migrate } from '@answer-evidence/postgres';
import pg from 'pg';
import { openTestPostgres } from './postgres-server.ts';

/** A database of its own for one test file, with the newest schema. `url` is the superuser's. */
export type TestDatabase = { readonly url: string; close(): Promise<void> };

/** Makes an empty, migrated database on the PostgreSQL of the test run; `close` drops it with whoever is still connected. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = await openTestPostgres();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await admin(server.url, `create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return {
    url: url.href,
    async close() {
      await admin(server.url, `drop database if exists ${name} with (force)`);
      await server.close();
    },
  };
}

async function admin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
