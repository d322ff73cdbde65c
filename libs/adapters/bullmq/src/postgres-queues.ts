import { withBackend } from 'bullmq';
import type pg from 'pg';
import type { QueueBackend, ShownQueues } from '@answer-evidence/ports';
import { createBullBackend, type QueueOptions } from './bullmq-backend.ts';
import { createPatientBackends } from './create-patient-backend.ts';
import { areQueuesNewest, migrateQueues, SCHEMA } from './migrate-queues.ts';
import { PatientPool } from './patient-pool.ts';
import { QueueWatch } from './queue-watch.ts';
import type { SessionOf } from './session-of.ts';
import { SharedListener } from './shared-listener.ts';

/** For queries, and the one on which the workers listen: at most, and as long as nobody waits. */
const CONNECTIONS = 6 + 1;
const FIRST_CONNECTIONS = 1 + 1;

/**
 * What each connection asks for, and has to have. Commits do not wait for the disk: what a queue has lost, the outbox
 * gives it again.
 */
const SESSION = { search_path: SCHEMA, statement_timeout: '10s', lock_timeout: '5s', synchronous_commit: 'off' };

/** How long an idle worker listens before it looks by itself. Wake-ups that are lost are what `QueueWatch` is for. */
const LISTEN_SECONDS = 600;

/** How a queue in PostgreSQL is opened. */
type PostgresQueueOptions = QueueOptions & {
  /** The URL of the database's owner, for the schema; `url` logs in as a member of `answer_evidence_relay`. */
  readonly ownerUrl: string;
  /** How each of its connections asks for its settings, which are those of the service but for `own`. */
  readonly sessionOf: SessionOf;
};

type PoolOptions = ConstructorParameters<typeof PatientPool>[0] & {
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
};

/**
 * Opens a queue in the schema `bullmq` of a database that the service has migrated, with the rights of
 * `answer_evidence_relay`. Brings the schema to BullMQ's newest, as the owner; several processes take turns. Throws
 * what the database throws.
 */
export async function openPostgresQueues(options: PostgresQueueOptions): Promise<QueueBackend & ShownQueues> {
  const { assert, ...session } = options.sessionOf(options.url, 'answer_evidence_relay', SESSION);
  const config: PoolOptions = {
    ...session,
    max: CONNECTIONS,
    firstMax: FIRST_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // So that a connection on which a worker listens is not lost unnoticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'answer-evidence queues',
    onConnect: assert,
  };
  const pool = new PatientPool(config);
  // Each queue and worker listens to the one pool.
  pool.setMaxListeners(0);
  // Closing resolves before the sockets are closed: a server that stops then is no error.
  const onError = (error: Error): void => {
    if (!pool.ending) options.onError(error);
  };
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    // Nearly always, and nobody connects as the owner then.
    if (!(await areQueuesNewest(pool))) await migrateQueues(options.ownerUrl, options.sessionOf);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const listener = new SharedListener(pool);
  listener.on('error', onError);
  const watch = new QueueWatch(pool, () => listener.renew(), onError);
  const { Queue, Worker } = withBackend(createPatientBackends(listener, watch));
  return createBullBackend(
    {
      listenSeconds: LISTEN_SECONDS,
      assertReachable: () => undefined,
      createQueue: (name) => new Queue(name, { connection: pool, skipMetasUpdate: true }),
      createWorker: (name, run, settings) => new Worker(name, run, { ...settings, connection: pool }),
      async close() {
        await watch.close();
        await listener.close();
        await pool.end();
      },
    },
    { ...options, onError },
  );
}
