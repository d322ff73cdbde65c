import type { Job } from '@answer-evidence/contracts';
import { assertKept, type ContractCase } from './contract-case.ts';
import { assertSame, closeAll, DEADLINE_MS, drain, openGate, type QueueBackendFixture, Taken } from './queue-case.ts';

const SCHEDULED = 'trust.publish';

/** What every adapter of `QueueBackend` keeps of schedules. */
export const queueSchedulesContract: readonly ContractCase<QueueBackendFixture>[] = [
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
    guarantee: 'a schedule that is ended comes no more, and its topic takes other jobs',
    async prove(fixture) {
      const queue = await fixture.open();
      const taken = new Taken();
      await queue.schedule({ name: 'ended', topic: SCHEDULED, everyMs: 50 });
      await drain(queue, taken, 2, SCHEDULED);
      const other = await fixture.open();
      await other.unschedule({ name: 'ended', topic: SCHEDULED });
      await other.unschedule({ name: 'ended', topic: SCHEDULED });
      const id = 'asked-for';
      const later = new Taken();
      await other.schedule({ name: 'counter', topic: 'trust.witness', everyMs: 40 });
      await drain(other, new Taken(), 5, 'trust.witness');
      await other.enqueue([{ id, job: { id, topic: SCHEDULED, workspace_id: null, subject: null } }]);
      await drain(other, later, 1, SCHEDULED);
      assertSame(later.ids, [id], 'no run of an ended schedule may come');
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
];
