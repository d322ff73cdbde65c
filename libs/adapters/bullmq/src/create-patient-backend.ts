import { setTimeout as sleep } from 'node:timers/promises';
import { type BackendFactory, PostgresConnection, type PostgresConnectionOptions, PostgresQueueBackend } from 'bullmq';
import type { ListeningWorker, QueueWatch } from './queue-watch.ts';
import { namesWorker, type SharedListener } from './shared-listener.ts';

/**
 * BullMQ looks once at the schema before its first query, and remembers for ever how that went: with PostgreSQL away at
 * that moment, a queue or worker would fail until its process ends. The schema was brought to BullMQ's newest before
 * any is made, so nobody looks.
 */
class CheckedConnection extends PostgresConnection {
  readonly #listener: SharedListener;

  constructor(pool: PostgresConnectionOptions, listener: SharedListener) {
    super(pool);
    this.#listener = listener;
    // A worker that waits on the connection which was lost asks again, on the next one.
    listener.on('listenerinvalidated', () => this.emit('listenerinvalidated'));
  }

  override waitUntilReady(): Promise<void> {
    return Promise.resolve();
  }

  override getListenClient(): ReturnType<PostgresConnection['getListenClient']> {
    return this.#listener.getListenClient();
  }

  override setListenClientName(topic: string): Promise<void> {
    return this.#listener.addWorker(topic);
  }
}

/**
 * BullMQ pauses only after a refused connection. After a broken connection, or while a server starts or stops, it would
 * retry immediately and use a whole processor.
 */
class PatientBackend extends PostgresQueueBackend implements ListeningWorker {
  declare readonly queueName: string;
  waitingSince: symbol | undefined;
  readonly #watch: QueueWatch;

  constructor(watch: QueueWatch, ...parameters: ConstructorParameters<typeof PostgresQueueBackend>) {
    super(...parameters);
    this.#watch = watch;
  }

  override async waitForJob(seconds: number): ReturnType<PostgresQueueBackend['waitForJob']> {
    this.waitingSince = Symbol(this.queueName);
    try {
      return await super.waitForJob(seconds);
    } finally {
      this.waitingSince = undefined;
    }
  }

  override close(force?: boolean): Promise<void> {
    this.#watch.remove(this);
    return super.close(force);
  }

  override async moveStalledJobsToWait(): Promise<string[]> {
    return this.#watch.mayHaveStalled(this.queueName) ? super.moveStalledJobsToWait() : [];
  }

  override async moveToActive(...parameters: Parameters<PostgresQueueBackend['moveToActive']>): Promise<unknown[]> {
    try {
      const taken: unknown[] = await super.moveToActive(...parameters);
      return taken;
    } catch (error) {
      await sleep(RETRY_MS);
      throw error;
    }
  }

  /** One name stands for the workers of several queues; BullMQ looks for that of its own. */
  override async getClientList(): Promise<string[]> {
    const lists = await super.getClientList();
    return lists.map((list) =>
      list
        .split('\n')
        .map((line) => (namesWorker(line.replace(/^name=/, ''), this.queueName) ? `name=${this.queueName}` : line))
        .join('\n'),
    );
  }
}

/** How long a worker waits after an error of the connection. */
export const RETRY_MS = 1_000;

/** BullMQ's backend on a PostgreSQL pool, for workers and queues that outlive an outage of the database. */
export function createPatientBackends(
  listener: SharedListener,
  watch: QueueWatch,
): BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> {
  return (name, options, { withBlockingConnection = false } = {}) => {
    const connection = new CheckedConnection(options.connection, listener);
    // The name by which BullMQ finds the workers of a queue.
    const backend = new PatientBackend(
      watch,
      connection,
      name,
      options,
      true,
      withBlockingConnection ? name : undefined,
    );
    if (withBlockingConnection) watch.add(backend);
    return backend;
  };
}
