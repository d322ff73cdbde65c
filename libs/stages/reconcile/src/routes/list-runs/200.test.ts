import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { reconciliationRunList } from '@answer-evidence/contracts';
import { createRun, openReconcileTest, type ReconcileTest, requestOf, RUNS } from '../../fixtures/reconcile.ts';

let test: ReconcileTest;
const ids: string[] = [];

beforeAll(async () => {
  test = await openReconcileTest();
  for (const application_key of ['support-bot', 'sales-bot', 'support-bot', 'support-bot', 'sales-bot'])
    ids.unshift((await createRun(test, requestOf(test, ['one'], { application_key }))).id);
});

afterAll(() => test.close());

async function list(query: Record<string, string>, as: Caller = test.manager) {
  return reconciliationRunList.parse((await test.call('GET', RUNS, { as, query })).body);
}

describe('GET /api/reconciliations/runs', () => {
  it('lists runs newest first, by pages and by cursor alike', async () => {
    const first = await list({ size: '2' });
    expect(first).toMatchObject({ page: 1, size: 2, total: 5, total_relation: 'eq' });
    const second = await list({ size: '2', cursor: first.next_cursor ?? '' });
    const third = await list({ size: '2', page: '3' });
    expect(third.next_cursor).toBeNull();
    expect([first, second, third].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
  });

  it('is narrowed to the application of the token, and by filters', async () => {
    const own = await list({}, test.reconciler);
    expect(own.items.map(({ application_key }) => application_key)).toEqual(Array(3).fill('support-bot'));
    expect(own.total).toBe(3);
    expect((await list({ application_key: 'sales-bot' })).total).toBe(2);
    expect((await list({ environment: 'staging' })).total).toBe(0);
  });
});
