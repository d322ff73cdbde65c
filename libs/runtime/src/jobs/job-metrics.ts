import { Counter, Gauge, type Registry } from 'prom-client';
import type { Backlog, Clock, OutboxRelay } from '@answer-evidence/ports';
import type { JobOutcome } from './run-job.ts';

/** Registers the metrics of background work; the result counts deliveries. The backlog is read on demand. */
export function createJobMetrics(
  registry: Registry,
  relay: OutboxRelay,
  clock: Clock,
): (topic: string, outcome: JobOutcome) => void {
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
  return (topic, outcome) => jobs.inc({ topic, outcome });
}
