import pg from 'pg';

/** Longer than a question of a queue takes, so that anyone who waits for so long waits for another connection. */
const PATIENCE_MS = 100;

/**
 * A pool that begins with few connections, and opens another one when somebody has waited for one. When they are made,
 * all queues and workers of a process ask at the same moment; after that hardly two ever do.
 */
export class PatientPool extends pg.Pool {
  readonly #connectionsMax: number;
  readonly #patienceMs: number;
  #waiting: NodeJS.Timeout | undefined;

  /** `max` is how many there may be in the end, `firstMax` how many are opened at once. */
  constructor({
    max,
    firstMax,
    patienceMs = PATIENCE_MS,
    ...config
  }: pg.PoolConfig & { readonly max: number; readonly firstMax: number; readonly patienceMs?: number }) {
    super({ ...config, max: firstMax });
    this.#connectionsMax = max;
    this.#patienceMs = patienceMs;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const connected = callback === undefined ? super.connect() : super.connect(callback);
    this.#grow();
    return connected;
  }

  #grow(): void {
    if (this.#waiting !== undefined || this.waitingCount === 0 || this.options.max >= this.#connectionsMax) return;
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined;
      if (this.ending || this.waitingCount === 0) return;
      this.options.max += 1;
      // One that is given back goes to the first in line; one that fails leaves them to those that there are.
      super.connect().then(
        (client) => client.release(),
        () => undefined,
      );
      this.#grow();
    }, this.#patienceMs).unref();
  }
}

type ConnectCallback = Parameters<InstanceType<typeof pg.Pool>['connect']>[0];
