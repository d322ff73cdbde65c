import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** How often all queues are looked at: what a job whose wake-up was lost waits for, whatever lost it. */
const LOOK_MS = 3_000;
/** How long a wake-up may be on its way when the job that it is of is seen already. */
const ON_ITS_WAY_MS = 250;

/** For which queues there is a job that a worker can take, and which have one that runs. */
const LOOK = `select * from (
  select q.name,
    exists (select from job j where j.queue = q.name and j.state = 'waiting')
      and not exists (select from meta m where m.queue = q.name and m.field = 'paused' and m.value = '1')
    or exists (select from job j where j.queue = q.name and j.state = 'delayed' and j.process_at_ms <= $2) as is_ready,
    exists (select from job j where j.queue = q.name and j.state = 'active') as is_running
  from unnest($1::text[]) q(name)) found where is_ready or is_running`;

/** A worker that listens. */
export interface ListeningWorker {
  readonly queueName: string;
  /** Which of its waits for a job it is in; undefined while it does not wait. */
  readonly waitingSince: symbol | undefined;
}

/**
 * Asks for all queues of a process at once what each worker would otherwise have to ask for by itself, again and again:
 * whether a job waits of which it was told nothing, and whether any runs that may have lost its worker.
 */
export class QueueWatch {
  readonly #pool: pg.Pool;
  readonly #onDeaf: () => void;
  readonly #onError: (error: Error) => void;
  readonly #workers = new Set<ListeningWorker>();
  readonly #closing = new AbortController();
  #running: ReadonlySet<string> | undefined;
  #looking: Promise<void> | undefined;

  /** `onDeaf` is called when a worker waits while there is a job for it: what it listens on tells it nothing. */
  constructor(pool: pg.Pool, onDeaf: () => void, onError: (error: Error) => void) {
    this.#pool = pool;
    this.#onDeaf = onDeaf;
    this.#onError = onError;
  }

  add(worker: ListeningWorker): void {
    this.#workers.add(worker);
    this.#looking ??= this.#lookOnAndOn();
  }

  remove(worker: ListeningWorker): void {
    this.#workers.delete(worker);
  }

  /** Whether a job of the queue may have lost its worker: one ran at the last look, or nobody could look. */
  mayHaveStalled(queueName: string): boolean {
    return this.#running?.has(queueName) ?? true;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#looking;
  }

  async #lookOnAndOn(): Promise<void> {
    const { signal } = this.#closing;
    while (await isStill(LOOK_MS, signal))
      try {
        await this.#look(signal);
      } catch (error) {
        this.#running = undefined;
        if (!signal.aborted) this.#onError(error instanceof Error ? error : new Error('the queues cannot be seen'));
      }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const waits = new Map([...this.#workers].map((worker) => [worker, worker.waitingSince]));
    const names = [...new Set([...this.#workers].map(({ queueName }) => queueName))];
    const { rows } = await this.#pool.query<{ name: string; is_ready: boolean; is_running: boolean }>({
      name: 'look_at_queues',
      text: LOOK,
      values: [names, Date.now()],
    });
    this.#running = new Set(rows.filter((row) => row.is_running).map(({ name }) => name));
    const ready = new Set(rows.filter((row) => row.is_ready).map(({ name }) => name));
    if (ready.size === 0 || !(await isStill(ON_ITS_WAY_MS, signal))) return;
    for (const [worker, wait] of waits)
      if (ready.has(worker.queueName) && wait !== undefined && worker.waitingSince === wait) {
        this.#onDeaf();
        return;
      }
  }
}

/** Waits; whether the signal has not come meanwhile. */
async function isStill(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
