import type { Delivery } from '../queues.ts';
import { assertKept, type ContractCase } from './contract-case.ts';
import {
  assertSame,
  closeAll,
  DEADLINE_MS,
  deliveries,
  deliveryOf,
  drain,
  idsOf,
  openGate,
  type QueueBackendFixture,
  Taken,
  TOPIC,
} from './queue-case.ts';
import { queueSchedulesContract } from './queue-schedules.contract.ts';

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
    guarantee: 'an opened queue can be closed at once, and twice',
    async prove(fixture) {
      const queue = await fixture.open();
      await queue.close();
      await queue.close();
    },
  },
  ...queueSchedulesContract,
];
