import type { Job, JobTopic, ScheduledTopic, WorkspaceTopic } from '@answer-evidence/contracts';
import type { WorkQuestion } from './work-finder.ts';

/** How often a job is tried when its consumer does not say. */
export const ATTEMPTS_MAX_DEFAULT = 8;

/** How a stage does a topic's jobs, which may run twice, also at once, in any order: idempotent by database rows. */
export type Consumer = {
  readonly topic: JobTopic;
  /** Most jobs of this topic at once in this process. Of a scheduled topic one runs at a time over all processes. */
  readonly concurrency: number;
  /** Default `ATTEMPTS_MAX_DEFAULT`. */
  readonly attemptsMax?: number;
  /**
   * When it returns, the job is done and gone. When it throws, a job of a workspace runs again after a pause that
   * doubles each time; after `attemptsMax` attempts, or at once for a `ServiceError` with the remedy `give-up` or
   * `fix-request`, it becomes a dead letter. A scheduled job that throws is logged and counted: its next run comes
   * anyway. `signal` says that the process stops: anyone who throws then has not used up an attempt, and anyone who
   * goes on is left behind after some seconds.
   */
  run(job: Job, signal: AbortSignal): Promise<void>;
};

/** A job that recurs, once over all processes that declare it. `name`: letters, digits, dots and dashes only. */
export type Schedule = {
  readonly name: string;
  readonly topic: ScheduledTopic;
  /** From start to start. Runs that were missed, the queue being busy or unavailable, are not made up for. */
  readonly everyMs: number;
};

/**
 * A job that is put into the queue when there is something to do, unless it waits or runs there already: so one run is
 * in hand at a time over all processes. Each process that runs its consumer looks.
 */
export type Look = Schedule & {
  /** What is asked each time, `everyMs` apart, of this time (µs). */
  readonly work: (nowMicros: number) => readonly WorkQuestion[];
};

/** A job that is to be done for a workspace: what about, and which object. */
type JobRequest = {
  readonly topic: WorkspaceTopic;
  readonly subject: string | null;
  /** Not before this time, in microseconds; left out: at once. */
  readonly dueAt?: number;
};

/**
 * Asks for jobs outside of the ledger's write path. When it returns the jobs are durable, whatever happens to queue and
 * process; within a second or so they run. Throws `ledger_unavailable`; then they may be there or not, and asking again
 * makes them anew. What belongs to an append is written with it instead (a `Write` of kind `job`).
 */
export interface JobOutbox {
  /** Returns the ids of the new jobs, in order. */
  request(workspaceId: string, jobs: readonly JobRequest[]): Promise<readonly string[]>;
}

/** One handing-over of a job to the queue. `id` is unique among those waiting; without `:`, never digits only. */
export type Delivery = { readonly id: string; readonly job: Job };

/** How many deliveries of a topic lie in the queue. */
type QueueCounts = { readonly waiting: number; readonly running: number };

/** A started worker. */
export interface QueueWorker {
  /** Takes no more; resolves when what runs has ended, or after `deadlineMs`: the rest is delivered anew later. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * A queue that hands jobs from process to process. It is no place of record: it may lose everything (the outbox brings
 * it back) and may deliver twice. Opening one connects in the background, so a queue that is unavailable refuses no
 * start.
 */
export interface QueueBackend {
  /**
   * Puts all deliveries into their topics' queues, oldest first. Returns when the queue has them; throws soon when it
   * is unavailable, and then any part of them may be in. A delivery whose id is waiting or running already changes
   * nothing; one that has ended is new.
   */
  enqueue(deliveries: readonly Delivery[]): Promise<void>;
  /**
   * Starts to take deliveries of a topic, about in order of arrival, at most `concurrency` at once in this worker and
   * each by one worker at a time. A delivery is over when `run` has settled, whether it returned or threw: nothing is
   * tried again here. One whose process died comes again, to any worker, within a minute. While the queue is
   * unavailable the worker waits for it.
   */
  work(topic: JobTopic, concurrency: number, run: (job: Job) => Promise<void>): QueueWorker;
  /**
   * Declares a schedule; the first run comes soon. Declaring it again, here or elsewhere, makes no second one and
   * disturbs none, with another `everyMs` it changes the one; after the queue has lost its contents it must be declared
   * again. Over all workers of the topic one run is in hand at a time, and at most one is waiting. Throws when the
   * queue is unavailable.
   */
  schedule(schedule: Schedule): Promise<void>;
  /** Ends a schedule that an earlier release declared; one that there is not changes nothing. Throws as above. */
  unschedule(schedule: Pick<Schedule, 'name' | 'topic'>): Promise<void>;
  /** Throws when the queue is unavailable. */
  counts(topic: JobTopic): Promise<QueueCounts>;
  /** Closes the connections; workers are closed before. Resolves also when the queue is unavailable. */
  close(): Promise<void>;
}
