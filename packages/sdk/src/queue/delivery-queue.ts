import type { AnswerRecord } from '@answer-evidence/contracts';
import { MismatchError, QueueError, VerificationError } from '../errors.ts';
import type { QueueLimits } from '../options.ts';
import { backoffMs } from './backoff.ts';
import { createDeferred } from './deferred.ts';
import { askedWaitMs, isRefused } from './is-refused.ts';
import type { QueueItem, QueueStore } from './queue-store.ts';
import { Room } from './room.ts';
import type { Endpoint, Unsent } from './send-at-exit.ts';

/** What a queue needs from outside. */
export type QueueWorld = {
  readonly store: QueueStore;
  readonly limits: QueueLimits;
  /** Sends the JSON of a request once. */
  send(text: string): Promise<AnswerRecord>;
  /** Is told of what failed. Never throws. */
  onError(error: unknown): void;
};

/** What a timer can wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;
/** So many times the idle time is waited for a request that is under way. */
const PATIENCE = 3;

/** An answer in the queue. What recovered it has nobody who listens. */
type Entry = {
  readonly item: QueueItem;
  readonly characters: number;
  settle(outcome: Promise<AnswerRecord>): void;
};

/** Holds answers until the service has them. One failure that may pass stops all sending for a while. */
export class DeliveryQueue {
  readonly #world: QueueWorld;
  readonly #room: Room;
  readonly #waiting: Entry[] = [];
  readonly #recovered: Promise<void>;
  /** Who waits for the queue, and is told when an answer is settled. */
  readonly #watchers = new Set<() => void>();
  readonly #underWay = new Set<Entry>();
  #lastFailure: unknown;
  #failures = 0;
  #pause: NodeJS.Timeout | undefined;
  #isStarting = false;
  #isAbandoned = false;

  constructor(world: QueueWorld) {
    this.#world = world;
    this.#room = new Room(world.limits);
    this.#recovered = this.#recover();
  }

  /** How many answers wait or are being sent. */
  get size(): number {
    return this.#room.count;
  }

  /** Why the newest attempt failed; undefined when it did not. */
  get lastFailure(): unknown {
    return this.#lastFailure;
  }

  /** Whether its answers outlive the process. */
  get isDurable(): boolean {
    return this.#world.store.isDurable;
  }

  /**
   * Takes an answer. The answer is held, as the store promises, when this returns; the promise in the result settles
   * when the service has recorded or refused it. Rejects with `QueueError` when the answer is not held.
   */
  async add(text: string): Promise<{ readonly recorded: Promise<AnswerRecord> }> {
    await this.#room.take(text.length);
    const item = await this.#world.store.add(text).catch((error: unknown) => {
      this.#release(text.length);
      throw error;
    });
    const { promise, resolve } = createDeferred<AnswerRecord>();
    promise.catch(() => undefined);
    this.#waiting.push({ item, characters: text.length, settle: resolve });
    this.#start();
    return { recorded: promise };
  }

  /**
   * Sends what waits, at once, and returns how many answers are left when nothing waits or the time is over: that of
   * all, or one in which none was settled, three times as long while one is being sent.
   */
  async flush(timeoutMs: number, idleMs = timeoutMs): Promise<number> {
    const { promise: over, resolve: end } = createDeferred<void>();
    let patience = PATIENCE;
    const timers = [
      setTimeout(end, Math.min(timeoutMs, TIMER_MS_MAX)),
      setTimeout(() => {
        patience -= 1;
        if (patience > 0 && this.#underWay.size > 0) timers[1]?.refresh();
        else end();
      }, idleMs),
    ];
    const watch = () => {
      patience = PATIENCE;
      timers[1]?.refresh();
      if (this.size === 0) end();
    };
    this.#watchers.add(watch);
    await Promise.race([this.#recovered, over]);
    this.#failures = 0;
    this.#resume();
    if (this.size > 0) await over;
    this.#watchers.delete(watch);
    for (const timer of timers) clearTimeout(timer);
    return this.size;
  }

  /**
   * Gives up what would be lost with the process, and says so; what is being sent, once that has failed. What is in a
   * folder stays there.
   */
  abandon(): void {
    this.#isAbandoned = true;
    clearTimeout(this.#pause);
    this.#giveUp(this.#waiting.splice(0));
  }

  /** What would be lost with a process that cannot wait any more. What of it is not sent is reported. */
  leave(endpoint: Endpoint | undefined): Unsent | undefined {
    if (this.#isAbandoned || this.isDurable) return undefined;
    this.#isAbandoned = true;
    const left = [...this.#underWay, ...this.#waiting.splice(0)];
    const bodies = left.flatMap(({ item }) => item.text ?? []);
    if (bodies.length === 0) return undefined;
    const settle = (sent: number) => {
      if (sent < bodies.length) this.#world.onError(abandoned(bodies.length - sent));
    };
    return { endpoint, bodies, settle };
  }

  #giveUp(left: readonly Entry[]): void {
    if (left.length === 0 || this.isDurable) return;
    const error = abandoned(left.length);
    this.#world.onError(error);
    for (const entry of left) this.#settle(entry, Promise.reject(error));
  }

  async #recover(): Promise<void> {
    try {
      for (const item of await this.#world.store.recover()) {
        this.#room.occupy(0);
        this.#waiting.push({ item, characters: 0, settle: (outcome) => void outcome.catch(() => undefined) });
      }
      this.#start();
    } catch (cause) {
      const message = 'the folder of the queue cannot be read: what an earlier process left in it is not sent';
      this.#world.onError(new QueueError('queue_unwritable', message, { cause }));
    }
  }

  /** Sends after the present turn, whose caller is not to pay for it. */
  #start(): void {
    if (this.#isStarting || this.#pause !== undefined) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      this.#sendMore();
    });
  }

  #sendMore(): void {
    while (this.#pause === undefined && this.#underWay.size < this.#world.limits.concurrency) {
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      this.#underWay.add(entry);
      void this.#deliver(entry).finally(() => {
        this.#underWay.delete(entry);
        this.#sendMore();
      });
    }
  }

  async #deliver(entry: Entry): Promise<void> {
    try {
      const text = await entry.item.read();
      const outcome = text === undefined ? undefined : await this.#world.send(text);
      await entry.item.remove();
      this.#failures = 0;
      this.#lastFailure = undefined;
      if (outcome === undefined) this.#release(entry.characters);
      else this.#settle(entry, Promise.resolve(outcome));
    } catch (error) {
      this.#lastFailure = error;
      if (error instanceof VerificationError || isRefused(error)) await this.#end(entry, error);
      else if (this.#isAbandoned) this.#giveUp([entry]);
      else {
        this.#waiting.unshift(entry);
        this.#wait(error);
      }
    }
  }

  /**
   * Sending it again would change nothing: it was refused, or recorded with a receipt that must not be relied on. What
   * became of an answer whose response is about another one is not known, so it is kept.
   */
  async #end(entry: Entry, error: Error): Promise<void> {
    this.#world.onError(error);
    const isRecorded = error instanceof VerificationError && !(error instanceof MismatchError);
    const ended = isRecorded ? entry.item.remove() : entry.item.reject(error.message);
    await ended.catch((fault: unknown) => this.#world.onError(fault));
    this.#settle(entry, Promise.reject(error));
  }

  #settle(entry: Entry, outcome: Promise<AnswerRecord>): void {
    entry.settle(outcome);
    this.#release(entry.characters);
  }

  #release(characters: number): void {
    this.#room.release(characters);
    for (const notice of this.#watchers) notice();
  }

  #wait(error: unknown): void {
    // What was sent at the same time has failed for the same reason.
    if (this.#pause !== undefined) return;
    this.#world.onError(error);
    this.#failures += 1;
    const ms = backoffMs(this.#failures, askedWaitMs(error), Math.random());
    this.#pause = setTimeout(() => this.#resume(), ms);
    // An unavailable service does not keep a process alive that has nothing else to do.
    this.#pause.unref();
  }

  #resume(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#sendMore();
  }
}

function abandoned(count: number): QueueError {
  return new QueueError('queue_abandoned', `${count} answers were not sent before the process ended`);
}
