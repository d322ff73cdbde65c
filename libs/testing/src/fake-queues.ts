import { type Job, job as jobSchema, type JobTopic } from '@answer-evidence/contracts';
import type { Delivery, QueueBackend, QueueWorker, Schedule } from '@answer-evidence/ports';

/** `run` says whether it has ended, or was left behind. */
type Worker = { readonly concurrency: number; readonly run: (job: Job) => Promise<boolean>; running: number };
type Declared = Schedule & { readonly timer: NodeJS.Timeout };

/** The queue of one topic. Of a scheduled topic one delivery runs at a time, as schedules promise. */
class FakeQueue {
  readonly waiting: Delivery[] = [];
  readonly running = new Set<string>();
  readonly workers = new Set<Worker>();
  readonly schedules = new Map<string, Declared>();
  #ticks = 0;

  add(delivery: Delivery): void {
    const isKnown = this.running.has(delivery.id) || this.waiting.some(({ id }) => id === delivery.id);
    if (!isKnown) this.waiting.push(delivery);
    this.#hand();
  }

  /** Declares a schedule; its first run comes at once. */
  declare(schedule: Schedule): void {
    const before = this.schedules.get(schedule.name);
    if (before?.everyMs === schedule.everyMs) return;
    clearInterval(before?.timer);
    const tick = (): void => {
      const isWaiting = this.waiting.some(({ id }) => id.startsWith(`${schedule.name}-`));
      if (isWaiting) return;
      const id = `${schedule.name}-${this.#ticks++}`;
      this.add({ id, job: { id, topic: schedule.topic, workspace_id: null, subject: null } });
    };
    this.schedules.set(schedule.name, { ...schedule, timer: setInterval(tick, schedule.everyMs) });
    tick();
  }

  end(name: string): void {
    clearInterval(this.schedules.get(name)?.timer);
    this.schedules.delete(name);
  }

  #hand(): void {
    for (const worker of this.workers) {
      while (worker.running < worker.concurrency && (this.schedules.size === 0 || this.running.size === 0)) {
        const delivery = this.waiting.shift();
        if (delivery === undefined) return;
        void this.#run(worker, delivery);
      }
    }
  }

  async #run(worker: Worker, { id, job }: Delivery): Promise<void> {
    worker.running += 1;
    this.running.add(id);
    // As through a real queue: what runs is a copy, and only what the schema knows.
    const isEnded = await worker.run(jobSchema.parse(structuredClone(job)));
    worker.running -= 1;
    this.running.delete(id);
    if (!isEnded) this.waiting.unshift({ id, job });
    this.#hand();
  }

  work(worker: Worker): void {
    this.workers.add(worker);
    this.#hand();
  }
}

/** A queue in memory: each `open` is another process of it. It can be unavailable, and it can lose everything. */
export class FakeQueues {
  readonly #queues = new Map<JobTopic, FakeQueue>();
  #isUnavailable = false;

  /** Every call fails until it is back. Workers go on with what they have. */
  set isUnavailable(isUnavailable: boolean) {
    this.#isUnavailable = isUnavailable;
  }

  /** Forgets what waits and what was declared, as a Redis whose memory is gone. */
  loseEverything(): void {
    for (const queue of this.#queues.values()) {
      queue.waiting.length = 0;
      for (const { timer } of queue.schedules.values()) clearInterval(timer);
      queue.schedules.clear();
    }
  }

  open(): QueueBackend {
    const mine: QueueWorker[] = [];
    return {
      enqueue: async (deliveries) => {
        await this.#reach();
        for (const delivery of deliveries) this.#queue(delivery.job.topic).add(delivery);
      },
      work: (topic, concurrency, run) => {
        const queue = this.#queue(topic);
        const leave = new AbortController();
        const left = new Promise<false>((resolve) => {
          leave.signal.addEventListener('abort', () => resolve(false));
        });
        const running = new Set<Promise<unknown>>();
        const worker: Worker = {
          concurrency,
          running: 0,
          run: (job) => {
            // What a run throws is nothing to the queue, which tries nothing again.
            const ended = (async () => run(job))().then(
              () => true,
              () => true,
            );
            const one = Promise.race([ended, left]).finally(() => running.delete(one));
            running.add(one);
            return one;
          },
        };
        queue.work(worker);
        const started: QueueWorker = {
          async close(deadlineMs) {
            queue.workers.delete(worker);
            const timer = setTimeout(() => leave.abort(), deadlineMs);
            await Promise.all(running);
            clearTimeout(timer);
          },
        };
        mine.push(started);
        return started;
      },
      schedule: async (schedule) => {
        await this.#reach();
        this.#queue(schedule.topic).declare(schedule);
      },
      unschedule: async ({ name, topic }) => {
        await this.#reach();
        this.#queue(topic).end(name);
      },
      counts: async (topic) => {
        await this.#reach();
        const { waiting, running } = this.#queue(topic);
        return { waiting: waiting.length, running: running.size };
      },
      close: async () => {
        await Promise.all(mine.map((worker) => worker.close(0)));
      },
    };
  }

  /** Ends every schedule; nothing of it stays. */
  close(): void {
    this.loseEverything();
  }

  async #reach(): Promise<void> {
    await Promise.resolve();
    if (this.#isUnavailable) throw new Error('the queue is unavailable');
  }

  #queue(topic: JobTopic): FakeQueue {
    const known = this.#queues.get(topic);
    if (known !== undefined) return known;
    const queue = new FakeQueue();
    this.#queues.set(topic, queue);
    return queue;
  }
}
