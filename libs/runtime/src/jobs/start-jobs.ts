import { isJobTopic, JOB_TOPICS } from '@answer-evidence/contracts';
import type { Consumer, QueueBackend, Schedule } from '@answer-evidence/ports';
import { type JobOutcome, runJob, type RunJobParts } from './run-job.ts';
import { RELAY_TIMES, type RelayParts, type RelayTimes, runRelay } from './run-relay.ts';

/** How long a stop waits for what runs. What goes on longer is left behind, and runs again. */
const JOBS_CLOSE_MS = 5_000;

/** What the background work of a process needs. */
type JobParts = RunJobParts &
  Pick<RelayParts, 'wake' | 'onState'> & {
    readonly queues: QueueBackend;
    readonly consumers: readonly Consumer[];
    readonly schedules: readonly Schedule[];
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
export function startJobs(parts: JobParts): () => Promise<void> {
  const topics = parts.consumers.map(({ topic }) => topic);
  if (new Set(topics).size < topics.length) throw new Error('a topic has two consumers');
  for (const { name, topic } of parts.schedules)
    if (!topics.includes(topic)) throw new Error(`the schedule ${name} has no consumer here`);
  const stopping = new AbortController();
  const workers = parts.consumers.map((consumer) =>
    parts.queues.work(consumer.topic, consumer.concurrency, async (job) => {
      const beganAt = performance.now();
      const outcome = await runJob(parts, consumer, job, stopping.signal);
      parts.onOutcome(consumer.topic, outcome, (performance.now() - beganAt) / 1_000);
    }),
  );
  // Every process hands over every topic: what one has written does not wait for the process that consumes it.
  const relaying = runRelay(
    { ...parts, topics: Object.keys(JOB_TOPICS).filter(isJobTopic), times: parts.times ?? RELAY_TIMES },
    stopping.signal,
  );
  return async () => {
    stopping.abort();
    await Promise.all([relaying, ...workers.map((worker) => worker.close(parts.closeMs ?? JOBS_CLOSE_MS))]);
  };
}
