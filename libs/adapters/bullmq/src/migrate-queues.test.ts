import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, sessionOf, type TestDatabase } from '@answer-evidence/testing';
import { migrateQueues } from './migrate-queues.ts';

const ROLE = 'answer_evidence_relay';
/** Of those who change the schema. */
const LOCK_KEY = 4_171_930_019;

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await openTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** Every right in the schema, and the newest step that it has come to. */
async function readSchema(): Promise<readonly unknown[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    `select n.nspacl::text as schema_rights, c.relname as name, c.relacl::text as rights,
       (select max(version) from bullmq.migration) as version
     from pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'S')
     where n.nspname = 'bullmq' order by name`,
  );
  return rows;
}

/** Whether the role may make what a queue needs, and write to every table. */
async function mayWrite(): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_schema_privilege($1, 'bullmq', 'create') and bool_and(has_table_privilege($1, oid, 'insert')) as may
     from pg_class where relnamespace = 'bullmq'::regnamespace and relkind in ('r', 'p')`,
    [ROLE],
  );
  return rows[0]?.may === true;
}

describe('the schema of the queues', () => {
  it('is made with its rights, and a start that finds it so waits for nobody and changes nothing', async () => {
    await client.query('drop schema if exists bullmq cascade');
    await migrateQueues(database.url, sessionOf);
    const made = await readSchema();
    expect(made.length).toBeGreaterThan(5);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    try {
      await migrateQueues(database.url, sessionOf);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
    }
    expect(await readSchema()).toEqual(made);
  });

  it.each([
    ['a right on a table', `revoke insert on all tables in schema bullmq from ${ROLE}`],
    ['a right on the schema', `revoke create on schema bullmq from ${ROLE}`],
  ])('gets back %s that the role has lost, as after a start that was killed half-way', async (_, revoke) => {
    await migrateQueues(database.url, sessionOf);
    expect(await mayWrite()).toBe(true);
    await client.query(revoke);
    expect(await mayWrite()).toBe(false);
    await migrateQueues(database.url, sessionOf);
    expect(await mayWrite()).toBe(true);
  });
});
