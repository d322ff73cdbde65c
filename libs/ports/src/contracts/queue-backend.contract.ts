import type { Job, JobTopic } from '@answer-evidence/contracts';
import type { Delivery, QueueBackend, QueueWorker } from '../queues.ts';
import { assertKept, type ContractCase } from './contract-case.ts';

/** A queue for the cases; each `open` opens it anew, as another process would. The fixture's maker closes all. */
export type QueueBackendFixture = { open(): Promise<QueueBackend> };

const TOPIC = 'trust.run';
const SCHEDULED = 'trust.publish';
const WORKSPACE = '0199f3c2-0000-7000-8000-000000000001';
const DEADLINE_MS = 10_000;

function deliveryOf(n: number, suffix = ''): Delivery {
  const id = `0199f3c2-0000-7000-8000-${String(n).padStart(12, '0')}`;
  return {
    id: `${id}-0${suffix}`,
    job: { id, topic: TOPIC, workspace_id: WORKSPACE, subject: n % 2 === 0 ? id : null },
  };
}

function deliveries(count: number): readonly Delivery[] {
  return Array.from({ length: count }, (_, n) => deliveryOf(n + 1));
}

/** What was taken, and a way to wait until so many were. */
class Taken {
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

function openGate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

function idsOf(list: readonly Delivery[]): readonly string[] {
  return list.map(({ job }) => job.id);
}

function assertSame(found: readonly string[], wanted: readonly string[], promise: string): void {
  assertKept(found.length === wanted.length && found.every((id, n) => id === wanted[n]), `${promise}: ${found.join()}`);
}

async function closeAll(...workers: readonly QueueWorker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.close(DEADLINE_MS)));
}

/** Takes what waits, one by one, until `taken` has so many. */
async function drain(queue: QueueBackend, taken: Taken, count: number, topic: JobTopic = TOPIC): Promise<void> {
  const worker = queue.work(topic, 1, (job) => Promise.resolve(taken.take(job)));
  await taken.reach(count);
  await closeAll(worker);
}

/** What every adapter of `QueueBackend` keeps. */
export const queueBackendContract: readonly ContractCase<QueueBackendFixture>[] = [
  {
    guarantee: 'a job that one process enqueues runs in another, with exactly its ids',
    async prove(fixture) {
      const taken = new Taken();
      const [producer, consumer] = [await fixture.open(), await fixture.open()];
      const worker = consumer.work(TOPIC, 1, (job) => Promise.resolve(taken.take(job)));
      await producer.enqueue([deliveryOf(1), deliveryOf(2)]);
      await taken.reach(2);
      await closeAll(worker);
      for (const { job } of [deliveryOf(1), deliveryOf(2)]) {
        const found = taken.jobs.find(({ id }) => id === job.id);
        const isSame =
          found?.topic === job.topic &&
          found.workspace_id === job.workspace_id &&
          found.subject === job.subject &&
          Object.keys(found).length === 4;
        assertKept(isSame, 'a job must arrive as it was enqueued');
      }
    },
  },
  {
    guarantee: 'what was enqueued before there was a worker waits for it, in order',
    async prove(fixture) {
      const queue = await fixture.open();
      const all = deliveries(25);
      await queue.enqueue(all.slice(0, 20));
      await queue.enqueue(all.slice(20));
      await queue.enqueue([]);
      const { waiting, running } = await queue.counts(TOPIC);
      assertKept(waiting === 25 && running === 0, 'waiting deliveries must be counted');
      const taken = new Taken();
      await drain(queue, taken, 25);
      assertSame(taken.ids, idsOf(all), 'one worker that does one at a time must keep the order');
      assertKept((await queue.counts(TOPIC)).waiting === 0, 'what was taken must not be counted as waiting');
    },
  },
  {
    guarantee: 'a delivery that waits or runs already changes nothing',
    async prove(fixture) {
      const queue = await fixture.open();
      const [first, second] = [deliveryOf(1), deliveryOf(2)];
      await queue.enqueue([first, first]);
      await (await fixture.open()).enqueue([first]);
      const [started, go] = [openGate(), openGate()];
      const taken = new Taken();
      const worker = queue.work(TOPIC, 1, async (job) => {
        taken.take(job);
        started.open();
        await go.opened;
      });
      await started.opened;
      await queue.enqueue([first, second]);
      go.open();
      await taken.reach(2);
      await closeAll(worker);
      assertSame(taken.ids, idsOf([first, second]), 'one id that waits or runs must run once');
    },
  },
  {
    guarantee: 'a delivery whose id has ended is new',
    async prove(fixture) {
      const queue = await fixture.open();
      const taken = new Taken();
      await queue.enqueue([deliveryOf(1)]);
      await drain(queue, taken, 1);
      await queue.enqueue([deliveryOf(1)]);
      await drain(queue, taken, 2);
      assertSame(taken.ids, idsOf([deliveryOf(1), deliveryOf(1)]), 'an ended id must run again');
    },
  },
  {
    guarantee: 'another delivery of the same job runs as well',
    async prove(fixture) {
      const queue = await fixture.open();
      const taken = new Taken();
      await queue.enqueue([deliveryOf(1), deliveryOf(1, '1')]);
      await drain(queue, taken, 2);
      assertSame(taken.ids, idsOf([deliveryOf(1), deliveryOf(1)]), 'two deliveries of one job must both run');
    },
  },
  {
    guarantee: 'each delivery goes to one of several workers',
    async prove(fixture) {
      const taken = new Taken();
      const all = deliveries(60);
      const queues = [await fixture.open(), await fixture.open(), await fixture.open()];
      const workers = queues.map((queue) => queue.work(TOPIC, 4, (job) => Promise.resolve(taken.take(job))));
      await Promise.all(queues.map((queue, n) => queue.enqueue(all.slice(20 * n, 20 * n + 20))));
      await taken.reach(60);
      await closeAll(...workers);
      assertSame(taken.ids.toSorted(), idsOf(all).toSorted(), 'each delivery must run once');
    },
  },
  {
    guarantee: 'a worker runs as many at once as it may, and not one more',
    async prove(fixture) {
      const queue = await fixture.open();
      await queue.enqueue(deliveries(9));
      const three = openGate();
      const taken = new Taken();
      let running = 0;
      let most = 0;
      const worker = queue.work(TOPIC, 3, async (job) => {
        most = Math.max(most, ++running);
        if (running === 3) three.open();
        await three.opened;
        running -= 1;
        taken.take(job);
      });
      await taken.reach(9);
      await closeAll(worker);
      assertKept(most === 3, `3 must run at once, not ${most}`);
    },
  },
  {
    guarantee: 'topics stand apart',
    async prove(fixture) {
      const queue = await fixture.open();
      await queue.enqueue([deliveryOf(1)]);
      const other: Delivery = {
        id: 'of-another-topic',
        job: { id: 'of-another-topic', topic: 'trust.anchor', workspace_id: null, subject: null },
      };
      await queue.enqueue([other, deliveryOf(2)]);
      const taken = new Taken();
      await drain(queue, taken, 1, 'trust.anchor');
      assertSame(taken.ids, ['of-another-topic'], 'a worker must get its own topic');
      assertKept((await queue.counts(TOPIC)).waiting === 2, 'other topics must not be touched');
    },
  },
  {
    guarantee: 'a run that throws is over, is not tried again, and holds nobody up',
    async prove(fixture) {
      const queue = await fixture.open();
      const taken = new Taken();
      await queue.enqueue(deliveries(3));
      const worker = queue.work(TOPIC, 1, (job) => {
        taken.take(job);
        if (job.id === deliveryOf(2).job.id) return Promise.resolve();
        throw new Error('this job fails');
      });
      await taken.reach(3);
      await closeAll(worker);
      await queue.enqueue([deliveryOf(4)]);
      await drain(queue, taken, 4);
      assertSame(taken.ids, idsOf(deliveries(4)), 'each must have run once');
    },
  },
  {
    guarantee: 'a worker that closes finishes what it runs, takes no more, and leaves the rest to others',
    async prove(fixture) {
      const [one, other] = [await fixture.open(), await fixture.open()];
      const [started, go] = [openGate(), openGate()];
      const taken = new Taken();
      let isFinished = false;
      const worker = one.work(TOPIC, 1, async (job) => {
        taken.take(job);
        started.open();
        await go.opened;
        isFinished = true;
      });
      await one.enqueue(deliveries(3));
      await started.opened;
      const closing = worker.close(DEADLINE_MS);
      go.open();
      await closing;
      assertKept(isFinished, 'what runs must be finished');
      assertKept(taken.jobs.length === 1, 'nothing more may be taken');
      await drain(other, taken, 3);
      assertSame(taken.ids, idsOf(deliveries(3)), 'the others must be left');
    },
  },
  {
    guarantee: 'a worker does not wait past its deadline for a run that does not end, and others get its job',
    async prove(fixture) {
      const queue = await fixture.open();
      const started = openGate();
      const worker = queue.work(TOPIC, 1, () => {
        started.open();
        return new Promise<void>(() => undefined);
      });
      await queue.enqueue([deliveryOf(1)]);
      await started.opened;
      await worker.close(50);
      const taken = new Taken();
      await drain(await fixture.open(), taken, 1);
      assertSame(taken.ids, idsOf([deliveryOf(1)]), 'what was left behind must run again');
    },
  },
  {
    guarantee: 'a schedule comes again and again, as a job of the installation, with another id each time',
    async prove(fixture) {
      const queue = await fixture.open();
      const taken = new Taken();
      await queue.schedule({ name: 'again', topic: SCHEDULED, everyMs: 100 });
      await drain(queue, taken, 3, SCHEDULED);
      for (const { topic, workspace_id: workspaceId, subject } of taken.jobs)
        assertKept(topic === SCHEDULED && workspaceId === null && subject === null, 'it must belong to no workspace');
      assertKept(new Set(taken.ids).size === taken.ids.length, 'each run must have an id of its own');
    },
  },
  {
    guarantee: 'two processes that declare one schedule get one run at a time between them',
    async prove(fixture) {
      const queues = [await fixture.open(), await fixture.open()];
      const taken = new Taken();
      let running = 0;
      let most = 0;
      const workers = queues.map((queue) =>
        queue.work(SCHEDULED, 4, async (job) => {
          most = Math.max(most, ++running);
          // Longer than the interval by what the database takes to answer a few times.
          await queue.counts(SCHEDULED);
          await queue.counts(SCHEDULED);
          running -= 1;
          taken.take(job);
        }),
      );
      for (let n = 0; n < 4; n++)
        await Promise.all(queues.map((queue) => queue.schedule({ name: 'once', topic: SCHEDULED, everyMs: 60 })));
      await taken.reach(12);
      await closeAll(...workers);
      assertKept(most === 1, `one run at a time, not ${most}`);
      assertKept(new Set(taken.ids).size === taken.ids.length, 'no run may come twice');
    },
  },
  {
    guarantee: 'runs that were missed while one took long do not pile up',
    async prove(fixture) {
      const [queue, other] = [await fixture.open(), await fixture.open()];
      const taken = new Taken();
      const [started, go] = [openGate(), openGate()];
      const run = async (job: Job): Promise<void> => {
        started.open();
        await go.opened;
        taken.take(job);
      };
      const workers = [queue.work(SCHEDULED, 4, run), other.work(SCHEDULED, 4, run)];
      await queue.schedule({ name: 'slow', topic: SCHEDULED, everyMs: 40 });
      await started.opened;
      // Another topic's schedule counts out several intervals of the slow one.
      await queue.schedule({ name: 'counter', topic: 'trust.witness', everyMs: 40 });
      await drain(queue, new Taken(), 6, 'trust.witness');
      const { waiting, running } = await queue.counts(SCHEDULED);
      assertKept(running === 1 && waiting <= 1, `at most one may wait, not ${waiting} beside ${running}`);
      go.open();
      await taken.reach(3);
      await closeAll(...workers);
    },
  },
  {
    guarantee: 'a run of a schedule that waited behind a worker that closes goes to another worker',
    async prove(fixture) {
      const [one, other] = [await fixture.open(), await fixture.open()];
      const [started, go] = [openGate(), openGate()];
      const worker = one.work(SCHEDULED, 1, async () => {
        started.open();
        await go.opened;
      });
      const taken = new Taken();
      await one.schedule({ name: 'handed-on', topic: SCHEDULED, everyMs: 50 });
      await started.opened;
      const next = other.work(SCHEDULED, 1, (job) => Promise.resolve(taken.take(job)));
      const closing = worker.close(DEADLINE_MS);
      go.open();
      await closing;
      await taken.reach(2);
      await closeAll(next);
    },
  },
  {
    guarantee: 'a schedule that is declared with another interval changes to it',
    async prove(fixture) {
      const queue = await fixture.open();
      const taken = new Taken();
      await queue.schedule({ name: 'changed', topic: SCHEDULED, everyMs: 86_400_000 });
      await drain(queue, taken, 1, SCHEDULED);
      await (await fixture.open()).schedule({ name: 'changed', topic: SCHEDULED, everyMs: 50 });
      await drain(queue, taken, 4, SCHEDULED);
      assertKept(new Set(taken.ids).size === taken.ids.length, 'no run may come twice');
    },
  },
  {
    guarantee: 'a schedule whose next run was set by a clock far ahead runs soon after it is declared by a right one',
    /* oxlint-disable no-restricted-properties -- the clock that is wrong is the one of the process */
    async prove(fixture) {
      const queue = await fixture.open();
      const rightNow = Date.now;
      const taken = new Taken();
      Date.now = () => rightNow() + 3_600_000;
      try {
        await queue.schedule({ name: 'ahead', topic: SCHEDULED, everyMs: 100 });
        await drain(queue, taken, 2, SCHEDULED);
      } finally {
        Date.now = rightNow;
      }
      await queue.schedule({ name: 'ahead', topic: SCHEDULED, everyMs: 100 });
      await drain(queue, taken, 4, SCHEDULED);
      assertKept(new Set(taken.ids).size === taken.ids.length, 'no run may come twice');
    },
    /* oxlint-enable no-restricted-properties */
  },
  {
    guarantee: 'an opened queue can be closed at once, and twice',
    async prove(fixture) {
      const queue = await fixture.open();
      await queue.close();
      await queue.close();
    },
  },
];
