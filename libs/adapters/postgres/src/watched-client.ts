import pg from 'pg';
import { connectionOf, destroyConnection, socketOf, TransactionQuery } from './append/send-transaction.ts';
import { isDiskFull } from './failures.ts';

/** What pg takes, how long an answer may take, and who is told that the database has no room. */
type WatchedConfig = pg.ClientConfig & {
  readonly answerMsMax: number;
  readonly onDiskFull?: (() => void) | undefined;
};

/**
 * A connection that is broken when an answer takes longer than `answerMsMax` milliseconds: whatever was asked on it
 * fails then. A query with a `query_timeout` of its own has that in place of it.
 *
 * One timer serves all queries of a connection. With pg's timer for each query, V8 kept what a transaction was made of
 * until a major collection: about a megabyte for every 260 creates, most of what their minor collections had to copy.
 */
export class WatchedClient extends pg.Client {
  readonly #watch: NodeJS.Timeout;
  #isGathering = false;
  #owes: 'nothing' | 'an answer' | 'an answer with a limit of its own' = 'nothing';

  constructor({ answerMsMax, onDiskFull, ...config }: WatchedConfig) {
    super(config);
    this.#watch = setTimeout(() => {
      if (this.#owes === 'an answer') destroyConnection(this);
    }, answerMsMax).unref();
    this.on('drain', () => {
      this.#owes = 'nothing';
    });
    this.once('end', () => {
      clearTimeout(this.#watch);
    });
    connectionOf(this).on('errorMessage', (error: unknown) => {
      if (isDiskFull(error)) onDiskFull?.();
    });
    // A login that fails on this side, as without a password, pg leaves open. The server waits for it for a minute, and
    // so does every drop of a database of that server.
    connectionOf(this).once('error', () => {
      destroyConnection(this);
    });
  }

  override query = ((...asked: Parameters<pg.Client['query']>): unknown => {
    const [config] = asked as readonly unknown[];
    if (hasOwnLimit(config)) this.#owes = 'an answer with a limit of its own';
    else if (this.#owes === 'nothing') this.#owes = 'an answer';
    this.#watch.refresh();
    if (!(config instanceof TransactionQuery)) this.#gather();
    return super.query(...asked);
  }) as pg.Client['query'];

  /**
   * What is asked in one turn goes out in one write and wakes the server once: a read begins with three statements. Its
   * own write for each made a request 4 % dearer. A transaction of the log goes out at once: what follows in its turn
   * answers the requests of the one before, while the database works.
   */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const stream = socketOf(this);
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }
}

function hasOwnLimit(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'query_timeout' in config;
}
