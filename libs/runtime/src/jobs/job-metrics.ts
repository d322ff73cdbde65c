import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { isWorkspaceTopic, JOB_TOPICS, type JobTopic } from '@answer-evidence/contracts';
import type { Backlog, Clock, OutboxRelay, TopicBacklog } from '@answer-evidence/ports';
import type { JobOutcome } from './run-job.ts';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** Those whose jobs go through the outbox: each has its queue there, empty or not. */
const TOPICS = (Object.keys(JOB_TOPICS) as readonly JobTopic[]).filter(isWorkspaceTopic);

/** Registers the metrics of background work; the result counts deliveries. The backlog is read on demand. */
export function createJobMetrics(
  registry: Registry,
  relay: OutboxRelay,
  clock: Clock,
): (topic: string, outcome: JobOutcome, seconds: number) => void {
  const jobs = new Counter({
    name: 'jobs_total',
    help: 'Deliveries of jobs by topic and outcome.',
    labelNames: ['topic', 'outcome'] as const,
    registers: [registry],
  });
  let reading: Promise<Backlog | undefined> | undefined;
  /** One reading for all gauges of a scrape; undefined while the database is unavailable. */
  function readBacklog(): Promise<Backlog | undefined> {
    reading ??= relay
      .backlog()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    return reading;
  }
  function gauge(name: string, help: string, valueOf: (backlog: Backlog) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await readBacklog();
        if (backlog === undefined) this.remove();
        else this.set(valueOf(backlog));
      },
    });
  }
  const ageSeconds = (at: number | undefined): number =>
    at === undefined ? 0 : Math.max(0, (clock.nowMicros() - at) / 1_000_000);
  gauge('jobs_oldest_undispatched_seconds', 'How long the oldest due job has waited for the queue.', (backlog) =>
    ageSeconds(backlog.oldestUndispatchedAt),
  );
  gauge('jobs_oldest_undone_seconds', 'Age of the oldest due job that is not done.', (backlog) =>
    ageSeconds(backlog.oldestUndoneAt),
  );
  gauge('jobs_undone', 'Number of due jobs that are not done.', (backlog) => backlog.jobs);
  gauge('dead_letters', 'Jobs that failed permanently and were not replayed since.', (backlog) => backlog.deadLetters);
  /** One value per queue; those of another release's topics, which wait for that release, too. */
  function gaugeOfTopics(name: string, help: string, valueOf: (one: TopicBacklog) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ['topic'] as const,
      registers: [registry],
      async collect() {
        const backlog = await readBacklog();
        this.reset();
        if (backlog === undefined) return;
        for (const topic of TOPICS) this.set({ topic }, 0);
        for (const one of backlog.topics) this.set({ topic: one.topic }, valueOf(one));
      },
    });
  }
  gaugeOfTopics('queue_jobs', 'Due jobs of a topic that are not done.', (one) => one.jobs);
  gaugeOfTopics('queue_oldest_seconds', 'Age of the oldest of these jobs; 0 without any.', (one) =>
    ageSeconds(one.oldestUndoneAt),
  );
  gaugeOfTopics('queue_undispatched_seconds', 'How long the oldest of them has waited for the queue.', (one) =>
    ageSeconds(one.oldestUndispatchedAt),
  );
  gaugeOfTopics('queue_dead_letters', 'Jobs of a topic that failed permanently.', (one) => one.deadLetters);
  const duration = new Histogram({
    name: 'job_duration_seconds',
    help: 'How long a delivery of a job took, whatever its outcome.',
    labelNames: ['topic'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  return (topic, outcome, seconds) => {
    jobs.inc({ topic, outcome });
    duration.observe({ topic }, seconds);
  };
}
