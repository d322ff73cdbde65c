import { isJobTopic, JOB_TOPICS } from '@answer-evidence/contracts';
import type { Consumer, QueueBackend } from '@answer-evidence/ports';
import { type JobOutcome, runJob, type RunJobDeps } from './run-job.ts';
import { RELAY_TIMES, type RelayDeps, type RelayTimes, runRelay } from './run-relay.ts';

/** How long a stop waits for what runs. What goes on longer is left behind, and runs again. */
const JOBS_CLOSE_MS = 5_000;

/** What the background work of a process needs. */
type JobDeps = RunJobDeps &
  Pick<RelayDeps, 'wake' | 'onState' | 'schedules' | 'looks' | 'askForWork'> & {
    readonly queues: QueueBackend;
    readonly consumers: readonly Consumer[];
    /** A delivery has ended, after so many seconds. */
    readonly onOutcome: (topic: string, outcome: JobOutcome, seconds: number) => void;
    readonly times?: RelayTimes;
    readonly closeMs?: number;
  };

/**
 * Starts the consumers, the relay of the outbox and the schedules of a process. The result stops them: nothing more is
 * taken, what runs is told and waited for, up to `closeMs`. Throws when a schedule has no consumer here, or a topic
 * two.
 */
export function startJobs(deps: JobDeps): () => Promise<void> {
  const topics = deps.consumers.map(({ topic }) => topic);
  if (new Set(topics).size < topics.length) throw new Error('a topic has two consumers');
  for (const { name, topic } of [...deps.schedules, ...deps.looks])
    if (!topics.includes(topic)) throw new Error(`the schedule ${name} has no consumer here`);
  const stopping = new AbortController();
  const workers = deps.consumers.map((consumer) =>
    deps.queues.work(consumer.topic, consumer.concurrency, async (job) => {
      const beganAt = performance.now();
      const outcome = await runJob(deps, consumer, job, stopping.signal);
      deps.onOutcome(consumer.topic, outcome, (performance.now() - beganAt) / 1_000);
    }),
  );
  // Every process hands over every topic: what one has written does not wait for the process that consumes it.
  const relaying = runRelay(
    { ...deps, topics: Object.keys(JOB_TOPICS).filter(isJobTopic), times: deps.times ?? RELAY_TIMES },
    stopping.signal,
  );
  return async () => {
    stopping.abort();
    await Promise.all([relaying, ...workers.map((worker) => worker.close(deps.closeMs ?? JOBS_CLOSE_MS))]);
  };
}
