import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job } from '@answer-evidence/contracts';
import { prepareAnswer } from '../../fixtures/answers.ts';
import { openTestOutbox, type TestOutbox } from '../../fixtures/open-outbox.ts';

const SECOND = 1_000_000;
let box: TestOutbox;

beforeAll(async () => {
  box = await openTestOutbox();
});
afterAll(() => box.close());

/** What the database has of a job. */
async function stored(job: Job) {
  const { rows } = await box.log.owner.query(
    `select attempts, generation, dispatched_at is not null as dispatched from answer_evidence.outbox where id = $1`,
    [job.id],
  );
  return rows[0];
}

describe('a job in the outbox', () => {
  it('is handed over once, begun, and gone when it is done', async () => {
    const job = await box.ask();
    expect(await box.dispatch()).toEqual([{ id: `${job.id}-0`, job }]);
    expect(await box.dispatch()).toEqual([]);
    expect(await box.relay.begin(job)).toMatchObject({ job, number: 1, createdAt: box.now });
    await box.relay.finish(job);
    await box.relay.finish(job);
    expect(await stored(job)).toBeUndefined();
    expect(await box.relay.begin(job)).toBeUndefined();
  });

  it('stays due when it could not be handed over', async () => {
    const job = await box.ask();
    const refuse = () => Promise.reject(new Error('the queue is unavailable'));
    await expect(box.relay.dispatch(['trust.run'], 10, refuse)).rejects.toThrow('unavailable');
    expect(await stored(job)).toEqual({ attempts: 0, generation: 0, dispatched: false });
    expect(await box.dispatch()).toEqual([{ id: `${job.id}-0`, job }]);
    await box.relay.finish(job);
  });

  it('is held by one relay at a time', async () => {
    const jobs = [await box.ask(), await box.ask(), await box.ask()];
    let other: readonly unknown[] = ['not asked'];
    const first: string[] = [];
    await box.relay.dispatch(['trust.run'], 2, async (deliveries) => {
      first.push(...deliveries.map(({ job }) => job.id));
      other = (await box.dispatch()).map(({ job }) => job.id);
    });
    // Of one moment, they go by their ids.
    expect([...first, ...other]).toEqual(jobs.map(({ id }) => id).toSorted());
    expect(first).toHaveLength(2);
    for (const job of jobs) await box.relay.finish(job);
  });

  it('that a worker begins before the relay has committed counts all the same', async () => {
    const job = await box.ask();
    let begun: ReturnType<typeof box.relay.begin> | undefined;
    await box.relay.dispatch(['trust.run'], 10, () => {
      // The queue has it; the row lock is still the relay's.
      begun = box.relay.begin(job);
      return Promise.resolve();
    });
    expect(await begun).toMatchObject({ number: 1 });
    expect(await stored(job)).toEqual({ attempts: 1, generation: 0, dispatched: true });
    await box.relay.finish(job);
  });

  it('waits until it is due, and comes again under another delivery id when its attempt failed', async () => {
    const job = await box.ask();
    await box.dispatch();
    await box.relay.begin(job);
    await box.relay.postpone(job, box.now + 5 * SECOND);
    expect(await box.dispatch()).toEqual([]);
    box.now += 5 * SECOND;
    expect(await box.dispatch()).toEqual([{ id: `${job.id}-1`, job }]);
    expect(await box.relay.begin(job)).toMatchObject({ number: 2 });
    await box.relay.finish(job);
  });

  it('that a stop has cut short is due at once and has used up no attempt', async () => {
    const job = await box.ask();
    await box.dispatch();
    await box.relay.begin(job);
    await box.relay.release(job);
    expect(await stored(job)).toEqual({ attempts: 0, generation: 1, dispatched: false });
    expect(await box.dispatch()).toHaveLength(1);
    await box.relay.finish(job);
  });

  it('that the queue has lost is recalled and handed over under the same delivery id, which a queue that has it knows', async () => {
    const job = await box.ask();
    const [before] = await box.dispatch();
    expect(await box.relay.recall(box.now, 10)).toBe(0);
    box.now += 120 * SECOND;
    expect(await box.relay.recall(box.now - 100 * SECOND, 10)).toBe(1);
    expect(await box.dispatch()).toEqual([before]);
    await box.relay.finish(job);
  });

  it('that was created, put off or handed over by a clock far ahead is due when the clock is right again', async () => {
    box.now += 3600 * SECOND;
    const created = await box.ask();
    const [putOff, handedOver] = [await box.ask(), await box.ask()];
    await box.dispatch();
    await box.relay.begin(putOff);
    await box.relay.postpone(putOff, box.now + 5 * SECOND);
    await box.relay.release(created);
    box.now -= 3600 * SECOND;
    expect(await box.dispatch()).toEqual([]);
    expect(await box.relay.hasten(10)).toBe(3);
    expect((await box.dispatch()).map(({ job }) => job.id).toSorted()).toEqual(
      [created, putOff, handedOver].map(({ id }) => id).toSorted(),
    );
    expect(await box.relay.hasten(10)).toBe(0);
    for (const job of [created, putOff, handedOver]) await box.relay.finish(job);
  });

  it('that waits after a failure, by a clock that differs a little, goes on waiting', async () => {
    const job = await box.ask();
    await box.dispatch();
    await box.relay.begin(job);
    await box.relay.postpone(job, box.now + 900 * SECOND);
    box.now -= 59 * SECOND;
    expect(await box.relay.hasten(10)).toBe(0);
    box.now += 59 * SECOND;
    await box.relay.finish(job);
  });

  it('is what its row says, whatever a queue makes of it', async () => {
    const job = await box.ask();
    await box.dispatch();
    const forged = { ...job, subject: box.log.newId() };
    expect(await box.relay.begin(forged)).toMatchObject({ job });
    for (const other of [
      { ...job, id: box.log.newId() },
      { ...job, workspace_id: box.log.newId() },
      { ...job, topic: 'trust.anchor' as const },
      { ...job, workspace_id: null },
    ])
      expect(await box.relay.begin(other)).toBeUndefined();
    await box.relay.finish(job);
  });

  it('of a topic that this release does not know is left to another', async () => {
    await box.log.owner.query(
      `insert into answer_evidence.outbox (workspace_id, id, topic, created_at, due_at) values ($1, $2, 'later.topic', 1, 1)`,
      [box.log.workspace.id, box.log.newId()],
    );
    expect(await box.dispatch()).toEqual([]);
    await box.log.owner.query(`delete from answer_evidence.outbox where topic = 'later.topic'`);
  });

  it('is written with the entry that it is about, or not at all, and somebody is told', async () => {
    const ledger = box.log.openLedger({ onJobs: () => (box.told += 1) });
    const id = box.log.newId();
    const write = {
      kind: 'insert',
      table: 'outbox',
      row: { id, topic: 'trust.run', subject: null, created_at: box.now, due_at: box.now },
    } as const;
    const prepare = prepareAnswer(box.log, { question: 'a job comes with it' });
    const withJob: typeof prepare = (settings) => {
      const command = prepare(settings);
      return {
        ...command,
        decide(view) {
          const decision = command.decide(view);
          return decision.kind === 'append' ? { ...decision, writes: [...decision.writes, write] } : decision;
        },
      };
    };
    const before = box.told;
    await ledger.append(box.log.workspace.id, withJob);
    expect(box.told).toBe(before + 1);
    const [delivery] = await box.dispatch();
    expect(delivery?.job.id).toBe(id);
    // The same job's id again: the key refuses it, and the record with it.
    const size = (await box.log.logs.snapshot(box.log.workspace.id)).head.tree_size;
    await expect(ledger.append(box.log.workspace.id, withJob)).rejects.toThrow();
    expect((await box.log.logs.snapshot(box.log.workspace.id)).head.tree_size).toBe(size);
    expect((await box.log.check()).findings).toEqual([]);
    await box.relay.finish({ id, topic: 'trust.run', workspace_id: box.log.workspace.id, subject: null });
  });

  it('tells how far behind everything is', async () => {
    expect(await box.relay.backlog()).toMatchObject({
      oldestUndispatchedAt: undefined,
      oldestUndoneAt: undefined,
      jobs: 0,
    });
    const first = await box.ask();
    const firstAt = box.now;
    await box.dispatch();
    box.now += SECOND;
    const second = await box.ask();
    expect(await box.relay.backlog()).toMatchObject({
      oldestUndispatchedAt: box.now,
      oldestUndoneAt: firstAt,
      jobs: 2,
    });
    await box.relay.finish(first);
    await box.relay.finish(second);
  });
});
