import type { DeadLetterReason, Job, JobTopic } from '@answer-evidence/contracts';
import type { DeadLetterRow } from '@answer-evidence/tables';
import type { FoundPage } from './leaf-page.ts';
import type { Delivery } from './queues.ts';

/** An attempt at a job that has begun. */
export type Attempt = {
  readonly job: Job;
  /** 1 for the first. */
  readonly number: number;
  readonly createdAt: number;
};

/** How far behind the background work is. Times in microseconds; undefined when there is nothing of the kind. */
export type Backlog = {
  /** When the job that has waited longest for the queue was due. */
  readonly oldestUndispatchedAt: number | undefined;
  /** When the job that is not done for longest was due. */
  readonly oldestUndoneAt: number | undefined;
  readonly jobs: number;
  readonly deadLetters: number;
  /** The same of each topic that has a due job or a dead letter. */
  readonly topics: readonly TopicBacklog[];
};

/** What is behind of one topic. */
export type TopicBacklog = {
  readonly topic: string;
  readonly oldestUndispatchedAt: number | undefined;
  readonly oldestUndoneAt: number | undefined;
  readonly jobs: number;
  readonly deadLetters: number;
};

/**
 * The outbox of all workspaces, as the relay and the workers see it: ids only. A job's attempts and the time of its
 * next one stand here and not in the queue, which may lose all that it holds. Every method is one transaction, and may
 * be called by several processes at once. Throws what the database throws.
 */
export interface OutboxRelay {
  /**
   * Hands jobs of these topics that are due to `deliver`, oldest first, at most `limit`, and remembers that they are
   * with the queue when it returns. Two relays never hold the same job; when `deliver` throws or the process dies, the
   * jobs stay due, and the queue may get them again under the same delivery id. Returns how many were handed over.
   */
  dispatch(
    topics: readonly JobTopic[],
    limit: number,
    deliver: (deliveries: readonly Delivery[]) => Promise<void>,
  ): Promise<number>;
  /** Counts an attempt. Undefined when there is no such job: it is done, dead, or was never asked for. */
  begin(job: Job): Promise<Attempt | undefined>;
  /** The job is done: it is gone. Once more changes nothing, as with the next three. */
  finish(job: Job): Promise<void>;
  /** The attempt failed: the job waits until `dueAt`, and is then handed over anew. */
  postpone(job: Job, dueAt: number): Promise<void>;
  /** The attempt was cut short by a stop: it does not count, and the job is due at once. */
  release(job: Job): Promise<void>;
  /** The job is given up: it becomes a dead letter. */
  bury(job: Job, reason: DeadLetterReason): Promise<void>;
  /** Makes lost jobs due again: handed over before this time and not done, oldest first, up to `limit`; how many. */
  recall(dispatchedBefore: number, limit: number): Promise<number>;
  /**
   * Makes jobs due that wait for nothing but a clock that was far ahead: the time of their creation or of their last
   * hand-over is more than a minute from now, or they wait longer than after any failure; up to `limit`; how many.
   */
  hasten(limit: number): Promise<number>;
  /** Forgets dead letters that were replayed before this time. */
  forget(replayedBefore: number): Promise<void>;
  backlog(): Promise<Backlog>;
}

/** Where a list of dead letters goes on: after this one. */
type DeadLetterPlace = { readonly failedAt: number; readonly id: string };

/** Dead letters of one workspace, enforced by the database as well. Throws `ledger_unavailable`. */
export interface DeadLetterStore {
  /** Those that were not replayed since, last failed first. */
  list(
    workspaceId: string,
    page: { readonly after?: DeadLetterPlace; readonly offset: number; readonly limit: number },
  ): Promise<FoundPage<DeadLetterRow>>;
  /**
   * Puts a failed job back into the outbox, with all its attempts available again, unless that was already done since
   * it failed. Returns its row with the time of the replay; undefined if there is no such job.
   */
  replay(workspaceId: string, id: string): Promise<DeadLetterRow | undefined>;
}
