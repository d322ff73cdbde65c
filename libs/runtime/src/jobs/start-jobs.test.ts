import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Job, ServiceError } from '@answer-evidence/contracts';
import type { AskForWork, Consumer, Look, QueueBackend } from '@answer-evidence/ports';
import { type JobsTest, openJobsTest, until } from './fixtures/open-jobs-test.ts';

let test: JobsTest;
beforeAll(async () => {
  test = await openJobsTest();
});
afterEach(() => test.clear());
afterAll(() => test.close());

function consumer(run: Consumer['run'], more: Partial<Consumer> = {}): Consumer {
  return { topic: 'trust.run', concurrency: 2, run, ...more };
}

const list = async () =>
  (await test.workspace.deadLetters.list(test.workspace.workspace.id, { offset: 0, limit: 50 })).items;

describe('background work', () => {
  it('does each job once and leaves nothing behind, with two processes that both carry and consume', async () => {
    const done: string[] = [];
    const one = consumer((job) => Promise.resolve(void done.push(job.id)));
    test.start([one]);
    test.start([one]);
    const jobs = await test.ask(300);
    await until(async () => (await test.undone()) === 0);
    expect(done.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted());
  });

  it('drops a delivery of a job that is done, dead or was never asked for', async () => {
    const done: string[] = [];
    const started = test.start([consumer((job) => Promise.resolve(void done.push(job.id)))]);
    const [job] = await test.ask(1);
    if (job === undefined) throw new Error('one was asked for');
    await until(() => started.outcomes.length === 1);
    const elsewhere: Job = { ...job, workspace_id: '0199f3c2-0000-7000-8000-000000000009' };
    await test.queues.open().enqueue([
      { id: 'again', job },
      { id: 'elsewhere', job: elsewhere },
    ]);
    await until(() => started.outcomes.length === 3);
    expect(started.outcomes).toEqual(['done', 'duplicate', 'duplicate']);
    expect(done).toEqual([job.id]);
  });

  it('tries a job again until it works', async () => {
    let attempts = 0;
    const started = test.start([
      consumer(() => (++attempts < 4 ? Promise.reject(new Error('not yet')) : Promise.resolve())),
    ]);
    await test.ask(1);
    await until(() => started.outcomes.includes('done'));
    expect(started.outcomes).toEqual(['retry', 'retry', 'retry', 'done']);
    expect(await list()).toEqual([]);
  });

  it('gives a job up after its attempts, lists it without a word of the error, and does it after a replay', async () => {
    let isFixed = false;
    let attempts = 0;
    const started = test.start([
      consumer(
        () => {
          attempts += 1;
          return isFixed ? Promise.resolve() : Promise.reject(new TypeError('the text of a caller'));
        },
        { attemptsMax: 3 },
      ),
    ]);
    const [job] = await test.ask(1);
    await until(() => started.outcomes.includes('dead'));
    expect(attempts).toBe(3);
    const [dead] = await list();
    expect(dead).toMatchObject({ id: job?.id, attempts: 3, reason_code: 'internal' });
    expect(dead?.reason_detail).toBe('failed 3 times, most recently with an unexpected TypeError');
    expect(await test.undone()).toBe(0);
    isFixed = true;
    await test.workspace.deadLetters.replay(test.workspace.workspace.id, job?.id ?? '');
    await until(() => started.outcomes.includes('done'));
    expect(await list()).toEqual([]);
  });

  it.each(['give-up', 'fix-request'] as const)('gives a job up at once when the remedy is to %s', async (remedy) => {
    const error = new ServiceError('not_found', 'the record is not there', { remedy });
    const started = test.start([consumer(() => Promise.reject(error))]);
    await test.ask(1);
    await until(() => started.outcomes.length > 0);
    expect(started.outcomes).toEqual(['dead']);
    expect(await list()).toMatchObject([{ attempts: 1, reason_code: 'not_found', reason_detail: error.message }]);
  });

  it('gives a job up, without beginning it, that has ended every process which began it', async () => {
    const [job] = await test.ask(1);
    if (job === undefined) throw new Error('one was asked for');
    // What eight processes that were killed have left.
    for (let n = 0; n < 8; n++) await test.relay.begin(job);
    let runs = 0;
    const started = test.start([consumer(() => Promise.resolve(void (runs += 1)))]);
    await until(() => started.outcomes.length > 0);
    expect([started.outcomes, runs]).toEqual([['dead'], 0]);
    expect((await list())[0]?.reason_detail).toContain('the process ended before it was done');
  });

  it('is not held up by a job that always fails', async () => {
    const jobs = await test.ask(20);
    const poison = jobs[0]?.id;
    const done: string[] = [];
    test.start([
      consumer(
        (job) => (job.id === poison ? Promise.reject(new Error('no')) : Promise.resolve(void done.push(job.id))),
        {
          concurrency: 1,
        },
      ),
    ]);
    await until(() => done.length === 19);
    await until(async () => (await list()).length === 1);
    expect((await list())[0]?.id).toBe(poison);
  });

  it('ends the process, and does not count the attempt, when a consumer meets what must stop it', async () => {
    const error = new ServiceError('ledger_unavailable', 'the head cannot be trusted', { remedy: 'stop-process' });
    const started = test.start([consumer(() => Promise.reject(error))]);
    await test.ask(1);
    await until(() => started.fatal.length > 0);
    // This process goes on, so a slow one may meet it again.
    expect(new Set(started.fatal)).toEqual(new Set([error]));
    expect(await test.undone()).toBe(1);
    expect(await list()).toEqual([]);
  });

  it('tells what runs at a stop, uses up no attempt of it, and the next process does it', async () => {
    let begun = 0;
    const waits = consumer((_job, signal) => {
      begun += 1;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    const first = test.start([{ ...waits, attemptsMax: 1 }]);
    const [job] = await test.ask(1);
    await until(() => begun === 1);
    await first.stop();
    expect(first.outcomes).toEqual(['interrupted']);
    expect(await test.undone()).toBe(1);
    const done: string[] = [];
    test.start([{ ...consumer((given) => Promise.resolve(void done.push(given.id))), attemptsMax: 1 }]);
    await until(() => done.length === 1);
    expect(done).toEqual([job?.id]);
  });

  it('leaves behind what does not stop, in time, and another process does it', async () => {
    let begun = 0;
    const first = test.start(
      [
        consumer(() => {
          begun += 1;
          return new Promise<void>(() => undefined);
        }),
      ],
      { closeMs: 50 },
    );
    await test.ask(1);
    await until(() => begun === 1);
    await first.stop();
    let done = 0;
    test.start([consumer(() => Promise.resolve(void (done += 1)))]);
    await until(() => done === 1);
    await until(async () => (await test.undone()) === 0);
  });

  it('waits while the queue is unavailable, says so once, and catches up', async () => {
    const done: string[] = [];
    test.queues.isUnavailable = true;
    const started = test.start([consumer((job) => Promise.resolve(void done.push(job.id)))]);
    await test.ask(50);
    await until(() => started.states.length === 1);
    expect(await test.undone()).toBe(50);
    test.queues.isUnavailable = false;
    await until(() => done.length === 50);
    expect(started.states).toEqual([
      ['relay', false],
      ['relay', true],
    ]);
  });

  it('brings back what the queue has lost', async () => {
    const relayOnly = test.start([]);
    await test.ask(30);
    await until(async () => (await test.queues.open().counts('trust.run')).waiting === 30);
    await relayOnly.stop();
    test.queues.loseEverything();
    const done = new Set<string>();
    test.start([consumer((job) => Promise.resolve(void done.add(job.id)))], { sweepMs: 50 });
    await until(() => done.size === 30);
    await until(async () => (await test.undone()) === 0);
  });

  it('keeps a schedule going that the queue has lost, and an error of it keeps no dead letter', async () => {
    let runs = 0;
    const started = test.start(
      [
        {
          topic: 'trust.publish',
          concurrency: 1,
          run: () => (++runs === 2 ? Promise.reject(new Error('this time')) : Promise.resolve()),
        },
      ],
      { schedules: [{ name: 'publish', topic: 'trust.publish', everyMs: 30 }] },
    );
    await until(() => runs >= 3);
    expect(started.outcomes.slice(0, 3)).toEqual(['done', 'failed', 'done']);
    test.queues.loseEverything();
    const before = runs;
    await until(() => runs >= before + 3);
    expect(await list()).toEqual([]);
  });

  it('hands over what another process has written when it is told that there is something, and looks for it', async () => {
    const kinds: string[] = [];
    let isDue = false;
    const started = test.start([consumer(() => Promise.resolve())], {
      askForWork(questions) {
        kinds.push(...questions.map(({ kind }) => kind));
        return Promise.resolve(isDue && questions.some(({ kind }) => kind === 'jobs-due'));
      },
    });
    await until(() => kinds.filter((kind) => kind === 'jobs-due').length > 2);
    await test.ask(1);
    isDue = true;
    await until(() => started.outcomes.length === 1);
    expect(started.outcomes).toEqual(['done']);
  });

  it('runs what it looks for once at a time over all processes, while there is something to do', async () => {
    const look: Look = { name: 'publish', topic: 'trust.publish', everyMs: 20, work: () => [{ kind: 'unpublished' }] };
    let [runs, running, most, left] = [0, 0, 0, 6];
    const publish = consumer(
      async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        runs += 1;
        left -= 1;
      },
      { topic: 'trust.publish' },
    );
    let looks = 0;
    const askForWork: AskForWork = (questions) => {
      if (questions.some(({ kind }) => kind === 'unpublished')) looks += 1;
      return Promise.resolve(left > 0);
    };
    test.start([publish], { looks: [look], askForWork });
    test.start([publish], { looks: [look], askForWork });
    await until(() => left <= 0 && running === 0 && looks > 0);
    const [seen, done] = [looks, runs];
    await until(() => looks > seen + 6);
    expect([most, runs - done]).toEqual([1, 0]);
  });

  it('runs what it looks for once at the start, without an answer', async () => {
    const look: Look = { name: 'publish', topic: 'trust.publish', everyMs: 20, work: () => [{ kind: 'unpublished' }] };
    const publish = consumer(() => Promise.resolve(), { topic: 'trust.publish' });
    const started = test.start([publish], { looks: [look], askForWork: () => new Promise(() => undefined) });
    await until(() => started.outcomes.length === 1);
    expect(started.outcomes).toEqual(['done']);
  });

  it('ends the schedule that an earlier release had for what it looks for', async () => {
    const look: Look = { name: 'publish', topic: 'trust.publish', everyMs: 20, work: () => [{ kind: 'unpublished' }] };
    let ended = 0;
    const queue = test.queues.open();
    await queue.schedule({ name: look.name, topic: look.topic, everyMs: 20 });
    const publish = consumer(() => Promise.resolve(), { topic: 'trust.publish' });
    const watched: QueueBackend = {
      ...queue,
      async unschedule(schedule) {
        await queue.unschedule(schedule);
        ended += 1;
      },
    };
    let looks = 0;
    const askForWork: AskForWork = () => Promise.resolve(++looks < 0);
    const started = test.start([publish], { looks: [look], askForWork, queue: watched });
    await until(async () => ended > 0 && (await queue.counts('trust.publish')).waiting === 0);
    const [seen, ran] = [looks, started.outcomes.length];
    await until(() => looks > seen + 12);
    // One may have been under way.
    expect(started.outcomes.length - ran).toBeLessThanOrEqual(1);
  });

  it('refuses two consumers of one topic, and a schedule that nobody consumes', () => {
    const one = consumer(() => Promise.resolve());
    expect(() => test.start([one, one])).toThrow('two consumers');
    const schedules = [{ name: 'lonely', topic: 'trust.publish', everyMs: 1_000 }] as const;
    expect(() => test.start([one], { schedules })).toThrow('no consumer');
  });
});
