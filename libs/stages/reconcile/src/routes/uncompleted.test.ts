import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRun, openReconcileTest, type ReconcileTest, requestOf, RUNS, workOff } from '../fixtures/reconcile.ts';

let test: ReconcileTest;

beforeAll(async () => {
  test = await openReconcileTest();
});

afterAll(() => test.close());

describe.each(['findings', 'records', 'proof'])('GET /api/reconciliations/runs/{run_id}/%s', (part) => {
  it('answers 409 until the run is completed, also when it is decided', async () => {
    const run = await createRun(test, requestOf(test, ['one']));
    const call = () => test.call('GET', `${RUNS}/${run.id}/${part}`, { as: test.manager });
    expect(await call()).toMatchObject({ status: 409, code: 'run_not_completed' });
    const { head } = await test.logs.snapshot(test.workspace.id);
    const start = { startedAt: test.clock.nowMicros(), treeSize: head.tree_size, anchoredSize: null };
    await test.reconciliations.begin(test.workspace.id, run.id, start);
    await test.reconciliations.decide(test.workspace.id, run.id, run.id);
    expect(await call()).toMatchObject({ status: 409, code: 'run_not_completed' });
    await workOff(test, run.id);
    expect((await call()).status).toBe(200);
  });
});
