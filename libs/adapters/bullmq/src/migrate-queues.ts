import { runMigrations } from 'bullmq';
import pg from 'pg';

/** Where the queues are in the service's database. */
export const SCHEMA = 'bullmq';

const ROLE = 'answer_evidence_relay';
const LOCK_KEY = 4_171_930_019;

/**
 * Brings the schema of the queues to BullMQ's newest, as the owner of a database that the service has migrated, and
 * gives the rights on it to `answer_evidence_relay`; several processes take turns. Throws what the database throws.
 */
export async function migrateQueues(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 5_000 });
  // A broken connection also rejects the running query; this keeps it from ending the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
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
