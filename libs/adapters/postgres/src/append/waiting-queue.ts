import type { Waiting } from './resolve-batch.ts';

/** Most requests and about the most bytes of one transaction: planning and sending it holds up all other workspaces. */
const BATCH_REQUESTS_MAX = 128;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;
/** How many requests, and about how many bytes of them, may wait before new ones are refused. */
const WAITING_MAX = 4_096;
const WAITING_BYTES_MAX = 128 * 1024 * 1024;

/** The requests of a log that wait for a batch, in order of arrival, within bounds. */
export class WaitingQueue {
  #waiting: Waiting[] = [];
  /** About how much the waiting requests will write. */
  #bytes = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /** Adds a request; false if the queue is full. A lone request is never too large. */
  add(waiting: Waiting): boolean {
    const { sizeBytes } = waiting.command;
    const isFull = this.#waiting.length > 0 && this.#bytes + sizeBytes > WAITING_BYTES_MAX;
    if (isFull || this.#waiting.length >= WAITING_MAX) return false;
    this.#waiting.push(waiting);
    this.#bytes += sizeBytes;
    return true;
  }

  /** Takes the requests of the next transaction: at least one, unless none waits. */
  takeBatch(): readonly Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { command } of this.#waiting) {
      bytes += command.sizeBytes;
      if (count > 0 && (count === BATCH_REQUESTS_MAX || bytes > BATCH_BYTES_MAX)) break;
      count += 1;
    }
    return this.#take(count);
  }

  /** The requests of the next transaction if there are as many as it takes, so that none joins them later. */
  fullBatch(): readonly Waiting[] | undefined {
    if (this.#waiting.length < BATCH_REQUESTS_MAX) return undefined;
    const batch = this.#waiting.slice(0, BATCH_REQUESTS_MAX);
    return batch.reduce((sum, { command }) => sum + command.sizeBytes, 0) > BATCH_BYTES_MAX ? undefined : batch;
  }

  takeAll(): readonly Waiting[] {
    return this.#take(this.#waiting.length);
  }

  #take(count: number): readonly Waiting[] {
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    for (const { command } of taken) this.#bytes -= command.sizeBytes;
    return taken;
  }
}
