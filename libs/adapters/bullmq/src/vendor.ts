import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';

/** What is used of a BullMQ queue, whichever server it is on. */
export type BullQueue = Pick<
  Queue,
  | 'add'
  | 'addBulk'
  | 'getGlobalConcurrency'
  | 'setGlobalConcurrency'
  | 'getJobScheduler'
  | 'removeJobScheduler'
  | 'getJobCounts'
  | 'close'
> & {
  on(event: 'error', listener: (error: Error) => void): unknown;
  getJob(id: string): Promise<unknown>;
  upsertJobScheduler(...parameters: Parameters<Queue['upsertJobScheduler']>): Promise<unknown>;
};

/** What is used of a BullMQ worker. */
type BullWorker = Pick<Worker, 'close' | 'disconnect'> & {
  on(event: 'error', listener: (error: Error) => void): unknown;
};

/** A delivery as a worker gets it. */
export type TakenJob = Pick<Job, 'id' | 'data' | 'repeatJobKey' | 'moveToWait'>;

/** What differs between BullMQ on Redis and on PostgreSQL. */
export type Vendor = {
  /** How long an idle worker listens before it looks by itself. */
  readonly listenSeconds: number;
  /** Throws when the queue is known to be away, so that nobody waits for it. */
  assertReachable(): void;
  createQueue(name: string): BullQueue;
  createWorker(
    name: string,
    run: (job: TakenJob, token: string | undefined) => Promise<void>,
    options: Omit<WorkerOptions, 'connection' | 'prefix'>,
  ): BullWorker;
  /** Ends the connections; queues and workers are closed before. */
  close(): Promise<void>;
};
