import type { JobsOptions, Queue } from 'bullmq';
import { type Job, job as jobSchema, JOB_TOPICS, type JobTopic } from '@answer-evidence/contracts';
import type { Delivery, QueueBackend, QueueWorker, Schedule, ShownQueues } from '@answer-evidence/ports';
import { openBoard } from './board/open-board.ts';
import { isSettledWithin } from './is-settled-within.ts';
import { LOCK_MS, startWorker } from './start-worker.ts';
import type { BullQueue, TakenJob, Vendor } from './vendor.ts';

/** Nothing of a job stays in the queue once it has ended: what became of it stands in the database. */
const ENDS_WITHOUT_TRACE: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
const CLOSE_MS = 2_000;
/** By how much the clocks of two processes may differ. A run due later than by this was set by a wrong clock. */
const SKEW_MS_MAX = 60_000;

/** How a queue is opened. */
export type QueueOptions = {
  readonly url: string;
  /** Gets what goes wrong beside the calls; nothing of it needs an answer. */
  readonly onError: (error: Error) => void;
  /** After how long the jobs of a killed worker count as stalled; default 20 s. */
  readonly lockMs?: number;
};

/** A queue on BullMQ. */
export function createBullBackend(
  vendor: Vendor,
  { onError, lockMs = LOCK_MS }: Pick<QueueOptions, 'onError' | 'lockMs'>,
): QueueBackend & ShownQueues {
  const queues = new Map<JobTopic, BullQueue>();
  const workers = new Set<QueueWorker>();
  let closing: Promise<void> | undefined;

  function queueOf(topic: JobTopic, isNeededNow = true): BullQueue {
    if (closing !== undefined) throw new Error('the queue is closed');
    if (isNeededNow) vendor.assertReachable();
    const known = queues.get(topic);
    if (known !== undefined) return known;
    const queue = vendor.createQueue(topic);
    queue.on('error', onError);
    queues.set(topic, queue);
    return queue;
  }

  return {
    openBoard(basePath) {
      const topics = Object.keys(JOB_TOPICS) as JobTopic[];
      // What a vendor makes is a whole queue, of which only the board uses more than `BullQueue`.
      return openBoard(
        topics.map((topic) => queueOf(topic, false) as unknown as Queue),
        basePath,
      );
    },

    async enqueue(deliveries) {
      for (const [topic, list] of Map.groupBy(deliveries, ({ job }) => job.topic)) {
        const [first, ...more] = list.map(formatDelivery);
        if (first === undefined) continue;
        // PostgreSQL makes temporary tables for a bulk, which one job is not worth.
        if (more.length === 0) await queueOf(topic).add(first.name, first.data, first.opts);
        else await queueOf(topic).addBulk([first, ...more]);
      }
    },

    work(topic, concurrency, run) {
      const worker = startWorker({
        vendor,
        topic,
        concurrency,
        lockMs,
        run: (job) => run(parseJob(job, topic)),
        onError,
      });
      workers.add(worker);
      return {
        async close(deadlineMs) {
          await worker.close(deadlineMs);
          workers.delete(worker);
        },
      };
    },

    async schedule({ name, topic, everyMs }: Schedule) {
      const queue = queueOf(topic);
      // Kept in the queue, which may have lost it. It is what makes one run at a time over all workers.
      if ((await queue.getGlobalConcurrency()) !== 1) await queue.setGlobalConcurrency(1);
      if (await isUnderWay(queue, name, everyMs)) return;
      // Not changed in place: BullMQ would keep the old interval's offset, and delay the next run by as much.
      await queue.removeJobScheduler(name);
      await queue.upsertJobScheduler(
        name,
        { every: everyMs },
        { name: topic, data: { topic, workspace_id: null, subject: null }, opts: ENDS_WITHOUT_TRACE },
      );
    },

    async unschedule({ name, topic }) {
      await queueOf(topic).removeJobScheduler(name);
    },

    async counts(topic) {
      const counts = await queueOf(topic).getJobCounts('wait', 'prioritized', 'active');
      const { wait = 0, prioritized = 0, active = 0 } = counts;
      return { waiting: wait + prioritized, running: active };
    },

    close() {
      closing ??= (async () => {
        await Promise.all([...workers].map((worker) => worker.close(0)));
        // A queue that never reached its server does not always end by itself.
        await isSettledWithin(Promise.allSettled([...queues.values()].map((queue) => queue.close())), CLOSE_MS);
        await vendor.close();
      })();
      return closing;
    },
  };
}

function formatDelivery({ id, job }: Delivery) {
  return { name: job.topic, data: job, opts: { ...ENDS_WITHOUT_TRACE, jobId: id } };
}

/**
 * Whether a schedule exists as declared and its chain is unbroken. Each run creates the next one when it begins, so one
 * run is always waiting or active. A chain whose next run was set by a clock far ahead counts as broken.
 */
async function isUnderWay(queue: BullQueue, name: string, everyMs: number): Promise<boolean> {
  const known = await queue.getJobScheduler(name);
  if (known?.every !== everyMs || known.next === undefined) return false;
  if (known.next > Date.now() + everyMs + SKEW_MS_MAX) return false;
  if ((await queue.getJob(`repeat:${name}:${known.next}`)) !== undefined) return true;
  return (await queue.getJobScheduler(name))?.next !== known.next;
}

/** What the queue holds is not trusted: it must have the form of a job, and be one of the topic it was found under. */
function parseJob({ id, data, repeatJobKey }: TakenJob, topic: JobTopic): Job {
  const given: unknown = data;
  const isScheduled = repeatJobKey !== undefined && JOB_TOPICS[topic] === 'scheduled';
  const value = isScheduled ? { ...(given as object), id: String(id).replaceAll(':', '-') } : given;
  const job = jobSchema.parse(value);
  if (job.topic !== topic) throw new Error(`a job of ${job.topic} was found under ${topic}`);
  return job;
}
