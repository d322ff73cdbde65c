import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { systemClock } from '@answer-evidence/node-crypto';
import type { ShownQueues } from '@answer-evidence/ports';
import { readInstallationName } from '@answer-evidence/postgres';
import type { Stage } from '@answer-evidence/routes';
import type { Config } from '../ground/config.ts';
import { isDatabaseUnavailable } from '../ground/is-database-unavailable.ts';
import { traceConsumer } from '../observability/tracing/trace-parts.ts';
import type { Stores } from '../open/open-stores.ts';
import { createErrorThrottle } from './error-throttle.ts';
import { createJobMetrics } from './job-metrics.ts';
import { openQueues } from './open-queues.ts';
import { startJobs } from './start-jobs.ts';

/** The stages' background work on an open queue. */
type OpenedJobs = {
  /** Once what it begins with is there, such as the first workspace. */
  start(): void;
  /** Stops it, in seconds. */
  close(): Promise<void>;
};

/** Opens the queue of the stages' background work. Throws `StartError`. */
export async function openJobs(deps: {
  readonly config: Config;
  readonly database: { readonly url: string };
  readonly stores: Stores;
  readonly stages: readonly Stage[];
  readonly logger: Logger;
  readonly registry: Registry;
  readonly onFatal: (error: Error) => void;
  /** Gets what is not as it should be around the queue. */
  readonly onWarning: (sentence: string) => void;
  /** Gets the queues to show, once they are open. */
  readonly onQueues?: ((queues: ShownQueues) => void) | undefined;
}): Promise<OpenedJobs> {
  const { stores, logger, stages } = deps;
  const { tracing } = stores;
  const isNews = createErrorThrottle(systemClock);
  const database = { ownerUrl: deps.database.url, url: stores.urls.answer_evidence_relay };
  const queues = await openQueues(deps.config, database, await readInstallationName(stores.pool), {
    error(error) {
      if (isNews(error)) logger.warn({ error }, 'the queue reports an error');
    },
    warning: deps.onWarning,
  });
  deps.onQueues?.(queues);
  const onOutcome = createJobMetrics(deps.registry, stores.relay, systemClock);
  let stop: (() => Promise<void>) | undefined;
  return {
    start() {
      stop = startJobs({
        queues,
        relay: stores.relay,
        wake: stores.jobsWaiting,
        clock: systemClock,
        chance: Math.random,
        isDatabaseUnavailable,
        consumers: stages
          .flatMap((stage) => stage.consumers)
          .map((consumer) => (tracing === undefined ? consumer : traceConsumer(consumer, tracing))),
        schedules: stages.flatMap((stage) => stage.schedules),
        looks: stages.flatMap((stage) => stage.looks ?? []),
        askForWork: stores.pulse.askForWork,
        onFatal: deps.onFatal,
        onOutcome,
        onFailure({ id, topic }, outcome, error) {
          const level = outcome === 'dead' ? 'error' : 'warn';
          logger[level]({ topic, job: id, outcome, ...(error === undefined ? {} : { error }) }, 'a job has failed');
        },
        onState(what, error) {
          if (error === undefined) logger.warn({ what }, 'background work resumed');
          else logger.warn({ what, error }, 'background work is waiting');
        },
      });
    },
    async close() {
      await stop?.();
      await queues.close();
    },
  };
}
