import type { Job } from '@answer-evidence/contracts';
import { ATTEMPTS_MAX_DEFAULT, type Clock, type Consumer, type OutboxRelay } from '@answer-evidence/ports';
import { pause } from '../ground/wake-up.ts';
import { judgeFailure, neverCameBack } from './judge-failure.ts';

/** How a delivery ended. `duplicate`: nothing was left to do. `interrupted`: a stop cut it short; it runs again. */
export type JobOutcome = 'done' | 'retry' | 'dead' | 'duplicate' | 'interrupted' | 'failed';

/** What running a job needs. */
export type RunJobDeps = {
  readonly relay: OutboxRelay;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly chance: () => number;
  /** Whether an error means that the database is unavailable for the moment. */
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
  readonly onFatal: (error: Error) => void;
  /** An attempt that failed, for the log. */
  readonly onFailure: (job: Job, outcome: JobOutcome, error: unknown) => void;
};

const DATABASE_PAUSE_MS = 1_000;

/** Runs a delivery and settles its job in the outbox. Throws only what a later recall of the job has to repair. */
export async function runJob(
  deps: RunJobDeps,
  consumer: Consumer,
  delivered: Job,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if (delivered.workspace_id === null) return runScheduled(deps, consumer, delivered, signal);
  const { relay } = deps;
  const settle = <T>(action: () => Promise<T>): Promise<T> => retryWhileDatabaseIsUnavailable(deps, action, signal);
  const attempt = await settle(() => relay.begin(delivered));
  if (attempt === undefined) return 'duplicate';
  const { job, number } = attempt;
  const attemptsMax = consumer.attemptsMax ?? ATTEMPTS_MAX_DEFAULT;
  if (number > attemptsMax) {
    // Every attempt before this one ended with its process. One more might end this one too.
    await settle(() => relay.bury(job, neverCameBack(attemptsMax)));
    deps.onFailure(job, 'dead', undefined);
    return 'dead';
  }
  try {
    await consumer.run(job, signal);
  } catch (error) {
    if (signal.aborted) {
      await settle(() => relay.release(job));
      return 'interrupted';
    }
    const judgement = judgeFailure(error, number, attemptsMax, deps.chance());
    switch (judgement.kind) {
      case 'stop-process':
        deps.onFatal(judgement.error);
        return 'interrupted';
      case 'retry':
        await settle(() => relay.postpone(job, deps.clock.nowMicros() + judgement.afterMs * 1_000));
        deps.onFailure(job, 'retry', error);
        return 'retry';
      case 'give-up':
        await settle(() => relay.bury(job, judgement.reason));
        deps.onFailure(job, 'dead', error);
        return 'dead';
    }
  }
  // What the consumer did is durable. After a crash here it runs again, so it must be idempotent.
  await settle(() => relay.finish(job));
  return 'done';
}

async function runScheduled(deps: RunJobDeps, consumer: Consumer, job: Job, signal: AbortSignal): Promise<JobOutcome> {
  try {
    await consumer.run(job, signal);
    return 'done';
  } catch (error) {
    if (signal.aborted) return 'interrupted';
    const judgement = judgeFailure(error, 1, 1, 0);
    if (judgement.kind === 'stop-process') deps.onFatal(judgement.error);
    deps.onFailure(job, 'failed', error);
    return 'failed';
  }
}

/** Tries again for as long as the database is unavailable, but not past the signal. */
async function retryWhileDatabaseIsUnavailable<T>(
  { isDatabaseUnavailable }: RunJobDeps,
  action: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error;
      await pause(DATABASE_PAUSE_MS, signal);
    }
  }
}
