import { WaitingError } from 'bullmq';
import type { JobTopic } from '@answer-evidence/contracts';
import type { QueueWorker } from '@answer-evidence/ports';
import { RETRY_MS } from './create-patient-backend.ts';
import { isSettledWithin } from './is-settled-within.ts';
import type { TakenJob, Vendor } from './vendor.ts';

/** A worker renews the lock of what it runs; one that was killed does not, and its jobs come again soon after this. */
export const LOCK_MS = 20_000;
/** How often a job may lose its worker before the queue drops it. The outbox counts attempts and brings it back. */
const STALLED_MAX = 10;
const CLOSE_MS = 2_000;

/** Starts a worker of a topic. `run` may throw, which is reported; the job is over then. */
export function startWorker(deps: {
  readonly vendor: Vendor;
  readonly topic: JobTopic;
  readonly concurrency: number;
  readonly run: (job: TakenJob) => Promise<void>;
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
}): QueueWorker {
  const abandoned = new AbortController();
  const worker = deps.vendor.createWorker(
    deps.topic,
    async (job, token) => {
      const running = (async () => deps.run(job))();
      if (await isFirst(running, abandoned.signal, deps.onError)) return;
      // The deadline of a stop: the job goes back to where others take it. BullMQ leaves it alone then.
      await job.moveToWait(token);
      throw new WaitingError();
    },
    {
      concurrency: deps.concurrency,
      lockDuration: deps.lockMs,
      stalledInterval: deps.lockMs / 2,
      maxStalledCount: STALLED_MAX,
      runRetryDelay: RETRY_MS,
      drainDelay: deps.vendor.listenSeconds,
    },
  );
  worker.on('error', deps.onError);
  let closing: Promise<void> | undefined;
  return {
    close(deadlineMs) {
      closing ??= (async () => {
        const closed = worker.close();
        if (await isSettledWithin(closed, deadlineMs)) return;
        abandoned.abort();
        if (await isSettledWithin(closed, CLOSE_MS)) return;
        // The server is unavailable: nobody takes the job back, and it comes again when its lock has run out.
        await isSettledWithin(worker.disconnect(), CLOSE_MS);
      })();
      return closing;
    },
  };
}

/** Whether the run settles before the signal comes. What it throws is reported. */
async function isFirst(running: Promise<void>, signal: AbortSignal, onError: (error: Error) => void): Promise<boolean> {
  const settled = running.then(
    () => true,
    (error: unknown) => {
      onError(error instanceof Error ? error : new Error('a run threw something other than an Error'));
      return true;
    },
  );
  let stop: () => void = () => undefined;
  const aborted = new Promise<boolean>((resolve) => {
    stop = () => resolve(false);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([settled, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
