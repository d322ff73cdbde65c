import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { reconciliationRunList, triagedFindingList } from '@answer-evidence/contracts';
import { NO_ID, RUNS } from '../../fixtures/reconcile.ts';
import { openTriageTest, takeStep, type TriageTest } from '../../fixtures/triage.ts';

let test: TriageTest;

beforeAll(async () => {
  test = await openTriageTest(['a', 'b', 'c', 'd', 'a']);
  await takeStep(test, 0, { action: 'assign', assignee_id: test.member.userId }, test.member);
  await takeStep(test, 1, { action: 'assign', assignee_id: test.manager.userId });
  await takeStep(test, 1, { action: 'resolve', resolution: 'list_wrong' });
  await takeStep(test, 2, { action: 'comment', text: 'looked at' });
});

afterAll(() => test.close());

const get = (query: Record<string, string>, as = test.manager) => test.call('GET', test.path, { as, query });
const list = async (query: Record<string, string>, as = test.manager) =>
  triagedFindingList.parse((await get(query, as)).body);

describe('GET /api/reconciliations/runs/{run_id}/triage', () => {
  it('lists findings in their order with the work on them, by pages and by cursor alike', async () => {
    const all = await list({});
    expect(all.items.map(({ position, finding, triage }) => [position, finding.reference_id, triage.version])).toEqual([
      [0, 'a', 1],
      [1, 'b', 2],
      [2, 'c', 1],
      [3, 'd', 0],
      [4, 'a', 0],
    ]);
    expect(all).toMatchObject({ total: 5, counts: { open: 4, assigned: 1, resolved: 1 } });
    const first = await list({ size: '2' });
    const rest = await list({ size: '2', cursor: first.next_cursor ?? '' });
    expect([...first.items, ...rest.items]).toEqual(all.items.slice(0, 4));
    expect((await list({ size: '2', page: '2' })).items).toEqual(rest.items);
  });

  it.each<[Record<string, string>, readonly number[]]>([
    [{ state: 'open' }, [0, 2, 3, 4]],
    [{ state: 'resolved' }, [1]],
    [{ state: 'open', type: 'duplicate_reference' }, [4]],
    [{ state: 'resolved', type: 'duplicate_reference' }, []],
    [{ assignee: 'me' }, [1]],
    [{ assignee: 'me', state: 'open' }, []],
    [{ assignee: 'none' }, [2, 3, 4]],
    [{ assignee: 'none', type: 'missing_service' }, [2, 3]],
    [{ assignee: NO_ID }, []],
  ])('leaves what %j asks for, and counts it', async (query, positions) => {
    const { items, total } = await list(query);
    expect(items.map(({ position }) => position)).toEqual(positions);
    expect(total).toBe(positions.length);
  });

  it('tells people who list runs how much is open, and applications nothing of it', async () => {
    const work = async (as: Caller) => {
      const { items } = reconciliationRunList.parse((await test.call('GET', RUNS, { as })).body);
      return items.map((run) => run.work);
    };
    expect(await work(test.member)).toEqual([{ open: 4, assigned: 1, resolved: 1, overdue: 0 }]);
    expect(await work(test.reconciler)).toEqual([undefined]);
  });

  it('takes `me` for the one who asks, also in a cursor', async () => {
    expect((await list({ assignee: 'me' }, test.member)).items).toMatchObject([
      { position: 0, triage: { assignee: { id: test.member.userId, username: 'max' } } },
    ]);
    const { next_cursor: cursor } = await list({ assignee: 'none', size: '1' });
    expect(await get({ assignee: 'me', cursor: cursor ?? '' })).toMatchObject({
      status: 422,
      code: 'cursor_not_valid',
    });
  });

  it.each<Record<string, string>>([
    { state: 'closed' },
    { assignee: 'max' },
    { type: 'missing' },
    { overdue: 'yes' },
    { sort: 'assignee' },
    { due_before: 'tomorrow' },
    { due_before: '2027-02-30T00:00:00Z' },
  ])('answers 422 to %j', async (query) => {
    expect(await get(query)).toMatchObject({ status: 422, code: 'schema_violation' });
  });
});
