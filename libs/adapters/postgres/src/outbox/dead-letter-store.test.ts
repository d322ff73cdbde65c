import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job } from '@answer-evidence/contracts';
import { openTestOutbox, type TestOutbox } from '../../fixtures/open-outbox.ts';

const SECOND = 1_000_000;
const REASON = { code: 'not_found', detail: 'what it is about is not there' } as const;
let box: TestOutbox;
let workspaceId: string;

beforeAll(async () => {
  box = await openTestOutbox();
  workspaceId = box.log.workspace.id;
});
afterAll(() => box.close());

/** A job that is given up after one attempt. */
async function giveUp(): Promise<Job> {
  const job = await box.ask();
  await box.dispatch();
  await box.relay.begin(job);
  box.now += SECOND;
  await box.relay.bury(job, REASON);
  return job;
}

const list = (page: Partial<Parameters<typeof box.deadLetters.list>[1]> = {}) =>
  box.deadLetters.list(workspaceId, { offset: 0, limit: 10, ...page });

describe('a job that is given up', () => {
  it('is no more in the outbox, and is listed with its reason, once', async () => {
    const job = await giveUp();
    await box.relay.bury(job, { code: 'internal', detail: 'a second time' });
    expect(await box.relay.begin(job)).toBeUndefined();
    expect(await list()).toEqual({
      items: [
        {
          id: job.id,
          topic: 'trust.run',
          subject: null,
          attempts: 1,
          reason_code: 'not_found',
          reason_detail: REASON.detail,
          created_at: box.now - SECOND,
          failed_at: box.now,
          replayed_at: null,
        },
      ],
      total: 1,
      totalIsExact: true,
    });
    expect((await box.relay.backlog()).deadLetters).toBe(1);
  });

  it('is replayed once, however often and by however many it is asked', async () => {
    const job = await giveUp();
    box.now += SECOND;
    const told = box.told;
    const replays = await Promise.all([1, 2, 3].map(() => box.deadLetters.replay(workspaceId, job.id)));
    expect(replays.map((row) => row?.replayed_at)).toEqual([box.now, box.now, box.now]);
    expect(box.told).toBeGreaterThan(told);
    expect((await list()).items.map(({ id }) => id)).not.toContain(job.id);
    expect(await box.dispatch()).toEqual([{ id: `${job.id}-0`, job }]);
    expect(await box.relay.begin(job)).toMatchObject({ number: 1 });
    await box.relay.finish(job);
    // Done: a replay that comes late, or again, starts nothing.
    await box.deadLetters.replay(workspaceId, job.id);
    expect(await box.dispatch()).toEqual([]);
  });

  it('again after its replay is one dead letter with all its attempts, and can be replayed again', async () => {
    const job = await giveUp();
    await box.deadLetters.replay(workspaceId, job.id);
    await box.dispatch();
    await box.relay.begin(job);
    await box.relay.begin(job);
    box.now += SECOND;
    await box.relay.bury(job, { code: 'internal', detail: 'another reason' });
    const [newest] = (await list()).items;
    expect(newest).toMatchObject({ id: job.id, attempts: 3, reason_code: 'internal', failed_at: box.now });
    await box.deadLetters.replay(workspaceId, job.id);
    expect(await box.dispatch()).toHaveLength(1);
    await box.relay.finish(job);
  });

  it('of another workspace, or none, is not there to be replayed', async () => {
    const job = await giveUp();
    const other = box.log.newId();
    expect(await box.deadLetters.replay(other, job.id)).toBeUndefined();
    expect(await box.deadLetters.replay(workspaceId, other)).toBeUndefined();
    expect((await box.deadLetters.list(other, { offset: 0, limit: 10 })).items).toEqual([]);
    expect((await list()).items[0]?.id).toBe(job.id);
  });

  it('is listed last failed first, page by page and on from a place', async () => {
    for (let n = 0; n < 4; n++) await giveUp();
    const { items, total } = await list();
    expect(items).toHaveLength(total);
    expect(items.map(({ failed_at: at }) => at)).toEqual(
      items.map(({ failed_at: at }) => at).toSorted((a, b) => b - a),
    );
    expect((await list({ offset: 1, limit: 2 })).items).toEqual(items.slice(1, 3));
    const second = items[1];
    if (second === undefined) throw new Error('there are several');
    expect((await list({ after: { failedAt: second.failed_at, id: second.id } })).items).toEqual(items.slice(2));
  });

  it('is forgotten some time after its replay, and never before it', async () => {
    const job = await giveUp();
    await box.deadLetters.replay(workspaceId, job.id);
    const waiting = (await list()).items.length;
    await box.relay.forget(box.now);
    expect(await box.deadLetters.replay(workspaceId, job.id)).toBeDefined();
    await box.relay.forget(box.now + 1);
    expect(await box.deadLetters.replay(workspaceId, job.id)).toBeUndefined();
    expect((await list()).items).toHaveLength(waiting);
    await box.relay.finish(job);
  });
});
