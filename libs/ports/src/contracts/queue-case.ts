import type { Job, JobTopic } from '@answer-evidence/contracts';
import type { Delivery, QueueBackend, QueueWorker } from '../queues.ts';
import { assertKept } from './contract-case.ts';

/** A queue for the cases; each `open` opens it anew, as another process would. The fixture's maker closes all. */
export type QueueBackendFixture = { open(): Promise<QueueBackend> };

/** The topic of most jobs. */
export const TOPIC = 'trust.run';
const WORKSPACE = '0199f3c2-0000-7000-8000-000000000001';

/** How long a worker that closes waits for what it runs. */
export const DEADLINE_MS = 10_000;

/** One of the job with this number. */
export function deliveryOf(n: number, suffix = ''): Delivery {
  const id = `0199f3c2-0000-7000-8000-${String(n).padStart(12, '0')}`;
  return {
    id: `${id}-0${suffix}`,
    job: { id, topic: TOPIC, workspace_id: WORKSPACE, subject: n % 2 === 0 ? id : null },
  };
}

/** One of each job from the first on. */
export function deliveries(count: number): readonly Delivery[] {
  return Array.from({ length: count }, (_, n) => deliveryOf(n + 1));
}

/** What was taken, and a way to wait until so many were. */
export class Taken {
  readonly jobs: Job[] = [];
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  take(job: Job): void {
    this.jobs.push(job);
    for (const { count, resolve } of this.#waiting) if (this.jobs.length >= count) resolve();
  }

  /** A queue that never delivers so many fails by the deadline of the test. */
  reach(count: number): Promise<void> {
    if (this.jobs.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  get ids(): readonly string[] {
    return this.jobs.map(({ id }) => id);
  }
}

/** Something to wait for until it is opened. */
export function openGate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** The ids of the jobs. */
export function idsOf(list: readonly Delivery[]): readonly string[] {
  return list.map(({ job }) => job.id);
}

/** Holds that these ids were found, in this order. */
export function assertSame(found: readonly string[], wanted: readonly string[], promise: string): void {
  assertKept(found.length === wanted.length && found.every((id, n) => id === wanted[n]), `${promise}: ${found.join()}`);
}

/** Closes workers, which finish what they run. */
export async function closeAll(...workers: readonly QueueWorker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.close(DEADLINE_MS)));
}

/** Takes what waits, one by one, until `taken` has so many. */
export async function drain(queue: QueueBackend, taken: Taken, count: number, topic: JobTopic = TOPIC): Promise<void> {
  const worker = queue.work(topic, 1, (job) => Promise.resolve(taken.take(job)));
  await taken.reach(count);
  await closeAll(worker);
}
