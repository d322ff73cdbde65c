import { EventEmitter } from 'node:events';
import { PostgresConnection, type PostgresConnectionOptions } from 'bullmq';

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

const NAME = 'answer-evidence queues: ';

/**
 * The connection on which all workers of a process listen. BullMQ tells every worker of every new job and has each look
 * whether it is of its own queue; by itself it opens a connection for each of them, which costs PostgreSQL a process.
 */
export class SharedListener extends PostgresConnection {
  readonly #topics = new Set<string>();
  readonly #inTurn = new WeakSet<ListenClient>();
  #client: EventEmitter | undefined;

  constructor(pool: PostgresConnectionOptions) {
    super(pool);
    // Each worker hears when this connection is another one.
    this.setMaxListeners(0);
  }

  /** Names the connection after all workers that listen on it: by its name, others find them. */
  addWorker(topic: string): Promise<void> {
    this.#topics.add(topic);
    return this.setListenClientName(formatListenerName([...this.#topics]));
  }

  /** Gives the connection up for another one, which all workers hear of: it has told one of them nothing. */
  renew(): void {
    this.#client?.emit('error', new Error('a worker was not told of a job; listening on another connection'));
  }

  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    this.#client = client instanceof EventEmitter ? client : undefined;
    if (client instanceof EventEmitter) client.setMaxListeners(0);
    if (!this.#inTurn.has(client)) askInTurn(client);
    this.#inTurn.add(client);
    return client;
  }
}

/** Sends the questions of a connection one after another: pg warns of one that is asked while another is answered. */
function askInTurn(client: ListenClient): void {
  const ask = client.query.bind(client) as (...question: unknown[]) => Promise<unknown>;
  let answered: Promise<unknown> = Promise.resolve();
  Object.assign(client, {
    query: (...question: unknown[]): Promise<unknown> => {
      const answer = answered.then(() => ask(...question));
      answered = answer.catch(() => undefined);
      return answer;
    },
  });
}

/** The name of a connection on which the workers of these topics listen; PostgreSQL cuts names off after 63 bytes. */
export function formatListenerName(topics: readonly string[]): string {
  return NAME + topics.map(shorten).join('');
}

/** Whether workers of this topic listen on a connection of this name. */
export function namesWorker(name: string, topic: string): boolean {
  return (
    name.startsWith(NAME) &&
    (name
      .slice(NAME.length)
      .match(/.{3}/g)
      ?.some((one) => one === shorten(topic)) ??
      false)
  );
}

/** `tpu` of `trust.publish`: always three letters. */
function shorten(topic: string): string {
  const [stage = '', what = ''] = topic.split('.');
  return stage.slice(0, 1) + what.slice(0, 2);
}
