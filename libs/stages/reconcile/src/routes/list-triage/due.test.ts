import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FindingTriage, reconciliationRunList, triagedFindingList } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { DAY_MICROS } from '@answer-evidence/testing';
import { RUNS } from '../../fixtures/reconcile.ts';
import { openTriageTest, readFinding, takeStep, type TriageTest } from '../../fixtures/triage.ts';

let test: TriageTest;
let start = 0;

/** So many days after the run was asked for. */
const day = (days: number) => formatTimestamp(start + days * DAY_MICROS);

beforeAll(async () => {
  test = await openTriageTest(['a', 'b', 'c', 'd', 'e']);
  start = test.clock.nowMicros();
  const due = (position: number, days: number) => takeStep(test, position, { action: 'schedule', due_at: day(days) });
  await due(0, 3);
  await due(1, 1);
  await takeStep(test, 2, { action: 'assign', assignee_id: test.member.userId, due_at: day(2) });
  await due(3, 1);
  await takeStep(test, 3, { action: 'resolve', resolution: 'accepted' });
});

afterAll(() => test.close());

const list = async (query: Record<string, string>) => {
  const reply = await test.call('GET', test.path, { as: test.manager, query });
  expect(reply.status).toBe(200);
  return triagedFindingList.parse(reply.body);
};
const positions = async (query: Record<string, string>) => (await list(query)).items.map(({ position }) => position);

describe('findings that are due', () => {
  it('keep the time through every step that names no other, with who set it', async () => {
    const { triage, steps } = await readFinding(test, 2);
    expect(triage.due_at).toBe(day(2));
    expect(steps).toMatchObject([{ action: 'assign', assignee: { username: 'max' }, due_at: day(2) }]);
    const resolved = await takeStep(test, 2, { action: 'resolve', resolution: 'other' });
    expect(resolved.triage.due_at).toBe(day(2));
    expect((await takeStep(test, 2, { action: 'reopen' })).triage).toMatchObject({ state: 'open', due_at: day(2) });
    const late = await test.call('POST', `${test.path}/3/steps`, {
      as: test.manager,
      body: { action: 'schedule', due_at: day(9) },
    });
    expect(late).toMatchObject({ status: 409, code: 'transition_not_allowed' });
  });

  it('are scheduled once of many at once that have read the same version', async () => {
    const { version } = (await readFinding(test, 4)).triage;
    const replies = await Promise.all(
      [1, 2, 3].map((days) =>
        test.call('POST', `${test.path}/4/steps`, {
          as: test.manager,
          body: { action: 'schedule', due_at: day(days), version },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const kept = replies.find(({ status }) => status === 200)?.body as FindingTriage;
    expect((await readFinding(test, 4)).triage.due_at).toBe(kept.triage.due_at);
    await takeStep(test, 4, { action: 'schedule', due_at: null });
  });

  it('are listed with what is due first, by pages and by cursor alike, and those at no time last', async () => {
    expect(await positions({ sort: 'due' })).toEqual([1, 3, 2, 0, 4]);
    expect(await positions({ sort: 'due', state: 'open' })).toEqual([1, 2, 0, 4]);
    const walked: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list({ sort: 'due', size: '1', ...(cursor === '' ? {} : { cursor }) });
      walked.push(...page.items.map(({ position }) => position));
      cursor = page.next_cursor;
    }
    expect(walked).toEqual([1, 3, 2, 0, 4]);
    expect(await positions({ sort: 'due', size: '2', page: '2' })).toEqual([2, 0]);
    const { next_cursor: cursor } = await list({ sort: 'due', size: '1' });
    const other = await test.call('GET', test.path, { as: test.manager, query: { cursor: cursor ?? '' } });
    expect(other).toMatchObject({ status: 422, code: 'cursor_not_valid' });
  });

  it('are those before a time, whatever its offset', async () => {
    expect(await positions({ due_before: day(2) })).toEqual([1, 3]);
    expect(await positions({ due_before: formatTimestamp(start + 2 * DAY_MICROS + 1) })).toEqual([1, 2, 3]);
    expect(await positions({ due_before: day(4).replace('Z', '+00:00'), state: 'resolved' })).toEqual([3]);
    expect((await list({ due_before: day(2) })).total).toBe(2);
  });

  it('are overdue once their time has passed, for as long as they are open', async () => {
    expect(await positions({ overdue: 'true' })).toEqual([]);
    test.clock.advance(2 * DAY_MICROS + 1_000_000);
    const { items, total, counts } = await list({ overdue: 'true' });
    expect(items.map(({ position }) => position)).toEqual([1, 2]);
    expect([total, counts]).toEqual([2, { open: 4, assigned: 1, resolved: 1, overdue: 2 }]);
    const others = await list({ overdue: 'false' });
    expect([others.items.map(({ position }) => position), others.total]).toEqual([[0, 3, 4], 3]);
    const runs = reconciliationRunList.parse((await test.call('GET', RUNS, { as: test.manager })).body);
    expect(runs.items.map(({ work }) => work?.overdue)).toEqual([2]);
    await takeStep(test, 1, { action: 'resolve', resolution: 'accepted' });
    expect(await positions({ overdue: 'true' })).toEqual([2]);
    expect((await takeStep(test, 1, { action: 'reopen' })).triage.due_at).toBe(day(1));
    expect(await positions({ overdue: 'true', sort: 'due' })).toEqual([1, 2]);
  });
});
