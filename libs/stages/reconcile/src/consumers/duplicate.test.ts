import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseTimestamp } from '@answer-evidence/encoding';
import {
  createRecord,
  createRun,
  getRun,
  openReconcileTest,
  type ReconcileTest,
  requestOf,
  workOff,
} from '../fixtures/reconcile.ts';

let test: ReconcileTest;

beforeAll(async () => {
  test = await openReconcileTest();
});

afterAll(() => test.close());

describe('the job of a run', () => {
  it('completes it once, also when it runs twice at the same time and again', async () => {
    const { id } = await createRun(test, requestOf(test, ['one']));
    const outcomes = await Promise.allSettled([workOff(test, id), workOff(test, id)]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    await workOff(test, id);
    expect((await getRun(test, id)).status).toBe('completed');
    expect(await test.logs.workspaceEntries(test.workspace.id, 'reconciliation_completed')).toHaveLength(1);
    expect((await test.checkLedger()).findings).toEqual([]);
  });

  it('speaks of the tree that it began with, whatever is recorded before it goes on', async () => {
    const request = requestOf(test, ['later']);
    const { id } = await createRun(test, request);
    const { head } = await test.logs.snapshot(test.workspace.id);
    const start = { startedAt: test.clock.nowMicros(), treeSize: head.tree_size, anchoredSize: null };
    await test.reconciliations.begin(test.workspace.id, id, start);
    await createRecord(test, { idempotency_key: 'later' });
    await workOff(test, id);
    const run = await getRun(test, id);
    expect(run.checkpoint?.tree_size).toBe(head.tree_size);
    expect(run.counts).toMatchObject({ missing_service: 1, matched: 0 });
  });

  it('shows the run as failed when its job was given up, until that is replayed', async () => {
    const backlog = () => test.reconciliations.backlog(test.workspace.id);
    expect(await backlog()).toEqual({ runs: 0, oldestAt: undefined });
    const { id, created_at: createdAt } = await createRun(test, requestOf(test, ['one']));
    const underWay = { runs: 1, oldestAt: parseTimestamp(createdAt) };
    expect(await backlog()).toEqual(underWay);
    await test.owner(
      `insert into answer_evidence.dead_letters
         (workspace_id, id, topic, subject, attempts, reason_code, reason_detail, created_at, failed_at)
         select workspace_id, id, topic, subject, 8, 'internal', 'for a test', 1, 2
           from answer_evidence.outbox where subject = '${id}'`,
    );
    expect(await getRun(test, id)).toMatchObject({ status: 'failed', failure: { code: 'internal' } });
    expect(await backlog()).toEqual({ runs: 0, oldestAt: undefined });
    const [letter] = await test.owner(`select id from answer_evidence.dead_letters where subject = '${id}'`);
    await test.owner(`delete from answer_evidence.outbox where subject = '${id}'`);
    await test.deadLetters.replay(test.workspace.id, String(letter?.id));
    expect((await getRun(test, id)).status).toBe('queued');
    expect(await backlog()).toEqual(underWay);
    await workOff(test, id);
    expect((await getRun(test, id)).status).toBe('completed');
  });
});
