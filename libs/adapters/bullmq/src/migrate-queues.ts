import { LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq';
import pg from 'pg';
import type { SessionOf } from './session-of.ts';

/** Where the queues are in the service's database. */
export const SCHEMA = 'bullmq';

const ROLE = 'answer_evidence_relay';
const LOCK_KEY = 4_171_930_019;

/**
 * Brings the schema of the queues to BullMQ's newest, as the owner of a database that the service has migrated, and
 * gives the rights on it to `answer_evidence_relay`; several processes take turns. Throws what the database throws.
 */
export async function migrateQueues(ownerUrl: string, sessionOf: SessionOf): Promise<void> {
  const { assert, ...session } = sessionOf(ownerUrl, 'owner', { search_path: SCHEMA });
  const client = new pg.Client({ ...session, connectionTimeoutMillis: 5_000 });
  // A broken connection also rejects the running query; this keeps it from ending the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await assert(client);
    // Nearly always. Rights that are granted again are written again, on every table.
    if (await areQueuesNewest(client)) return;
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await runMigrations(client, SCHEMA);
    // BullMQ makes a sequence for each queue when it first needs it.
    await client.query(
      `grant usage, create on schema ${SCHEMA} to ${ROLE};
       grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${ROLE};
       grant usage on all sequences in schema ${SCHEMA} to ${ROLE}`,
    );
  } finally {
    await client.end();
  }
}

/**
 * Whether the schema is BullMQ's newest, and the role has every right that it needs. The owner may ask, and a member of
 * the role.
 */
export async function areQueuesNewest(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ is_readable: boolean }>(
    `select has_schema_privilege($1, n.oid, 'usage') and has_table_privilege($1, c.oid, 'select') as is_readable
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = '${SCHEMA}' and c.relname = 'migration'`,
    [ROLE],
  );
  if (rows[0]?.is_readable !== true) return false;
  const rights = ['select', 'insert', 'update', 'delete'].map((right) => `has_table_privilege($1, oid, '${right}')`);
  const { rows: found } = await client.query<{ version: number | null; is_granted: boolean }>(
    `select (select max(version)::int from ${SCHEMA}.migration) as version,
       has_schema_privilege($1, '${SCHEMA}', 'usage') and has_schema_privilege($1, '${SCHEMA}', 'create') and bool_and(
         case when relkind = 'S' then has_sequence_privilege($1, oid, 'usage') else ${rights.join(' and ')} end
       ) as is_granted
     from pg_class where relnamespace = '${SCHEMA}'::regnamespace and relkind in ('r', 'p', 'S')`,
    [ROLE],
  );
  return found[0]?.version === LATEST_SCHEMA_VERSION && found[0].is_granted;
}
