import type { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Queue } from 'bullmq';
import { job as jobSchema, JOB_TOPICS } from '@answer-evidence/contracts';

type ShownJob = NonNullable<Awaited<ReturnType<BullMQAdapter['getJob']>>>;
type JobValues = ReturnType<ShownJob['toJSON']>;
type Scheduler = Awaited<ReturnType<BullMQAdapter['getJobSchedulers']>>[number];

const FOREIGN = 'not a job of this release';
/** Deliveries and the runs of schedules, as the service names them. */
const OWN_ID = /^([0-9a-f-]{36}-\d+|repeat:[a-z._-]{1,60}:\d+)$/;
/** Errors quote what they failed on; logs and dead letters have what may be known of them. */
const HIDDEN_REASON = 'not shown; the log of the process and the dead letters name it';

/**
 * A queue of which only ids, topics, counts and times can be read. What a queue contains is not trusted, so each value
 * is shown because it is listed here, and not because it is there.
 */
export function createShownQueue(Base: typeof BullMQAdapter, queue: Queue): BullMQAdapter {
  class ShownQueue extends Base {
    override async getJob(id: string) {
      const found = await super.getJob(id);
      return found && hide(found);
    }

    override async getJobs(...given: Parameters<BullMQAdapter['getJobs']>) {
      return (await super.getJobs(...given)).map(hide);
    }

    override async getJobSchedulers() {
      return (await super.getJobSchedulers()).map(showScheduler);
    }

    override getJobLogs() {
      return Promise.resolve([]);
    }
  }
  return new ShownQueue(queue, { readOnlyMode: true });
}

/** The job itself, whose values are those that may be shown. */
function hide(found: ShownJob): ShownJob {
  const shown = Object.create(found) as ShownJob;
  return Object.assign(shown, { toJSON: () => showValues(found.toJSON()) });
}

function showValues(values: JobValues): JobValues {
  const isFailed = Boolean(values.failedReason) || (values.stacktrace ?? []).some(Boolean);
  return {
    ...NOTHING,
    id: showId(values.id),
    name: isTopic(values.name) ? values.name : FOREIGN,
    data: showJob(values.data),
    timestamp: Number(values.timestamp),
    attemptsMade: Number(values.attemptsMade),
    ...showNumbers(values, ['processedOn', 'finishedOn', 'delay', 'priority', 'attemptsStarted', 'stalledCounter']),
    // The library compares it with `delay`.
    opts: showNumbers({ ...values.opts }, ['delay', 'priority', 'attempts']),
    ...(isFailed ? { failedReason: HIDDEN_REASON } : {}),
  };
}

const NOTHING = {
  progress: 0,
  opts: {},
  stacktrace: [],
  returnvalue: null,
  failedReason: undefined,
} as unknown as JobValues;

function showNumbers<K extends string>(values: object, names: readonly K[]): Readonly<Partial<Record<K, number>>> {
  const read = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    names.flatMap((name) => (typeof read[name] === 'number' ? [[name, read[name]] as const] : [])),
  ) as Partial<Record<K, number>>;
}

function showScheduler(scheduler: Scheduler): Scheduler {
  const { id, name, next, every, iterationCount, lastRun, nextRunJobId, lastRunJobId } = scheduler as Scheduler &
    Readonly<Record<string, unknown>>;
  return {
    id: /^[a-z._-]{1,60}$/.test(String(id)) ? id : FOREIGN,
    name: isTopic(name) ? name : FOREIGN,
    ...showNumbers({ next, every, iterationCount, lastRun }, ['next', 'every', 'iterationCount', 'lastRun']),
    ...(nextRunJobId === undefined ? {} : { nextRunJobId: showId(nextRunJobId) }),
    ...(lastRunJobId === undefined ? {} : { lastRunJobId: showId(lastRunJobId) }),
  };
}

function showId(id: unknown): string {
  return typeof id === 'string' && OWN_ID.test(id) ? id : FOREIGN;
}

function isTopic(name: unknown): name is string {
  return typeof name === 'string' && Object.hasOwn(JOB_TOPICS, name);
}

function showJob(data: unknown): unknown {
  // The run of a schedule gets its id from the queue.
  const parsed = jobSchema.safeParse(typeof data === 'object' ? { id: 'scheduled', ...data } : undefined);
  return parsed.data ?? FOREIGN;
}
