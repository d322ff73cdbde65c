import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { reconciliationFindingList } from '@answer-evidence/contracts';
import { formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import { changeSettings } from '@answer-evidence/testing';
import {
  completeRun,
  createRecord,
  openReconcileTest,
  type ReconcileTest,
  requestOf,
  RUNS,
  SECOND,
  verifyRun,
} from '../fixtures/reconcile.ts';

let test: ReconcileTest;

beforeAll(async () => {
  test = await openReconcileTest();
});

afterAll(() => test.close());

async function findingsOf(runId: string) {
  const page = await test.call('GET', `${RUNS}/${runId}/findings`, { as: test.manager });
  return reconciliationFindingList.parse(page.body).items;
}

describe('the job of a run', () => {
  it('completes it with findings, counts and one entry, and the proof of it verifies', async () => {
    await createRecord(test, { idempotency_key: 'kept' });
    const nobodys = await createRecord(test, { idempotency_key: 'nobody asked' });
    const request = requestOf(test, ['kept', 'lost', 'kept']);
    const run = await completeRun(test, request);
    expect(run).toMatchObject({
      status: 'completed',
      progress: 100,
      lateness_open_until: formatTimestamp(parseTimestamp(request.window_end) + 300 * SECOND),
      counts: {
        references: 3,
        repeated_references: 1,
        records: 2,
        matched: 1,
        missing_service: 1,
        unexpected_service: 1,
        duplicate_reference: 1,
        late_service: 0,
      },
    });
    expect(await findingsOf(run.id)).toMatchObject([
      { type: 'missing_service', reference_id: 'lost', answer_log_id: null, detail: { provisional: true } },
      { type: 'unexpected_service', reference_id: null, answer_log_id: nobodys.id },
      { type: 'duplicate_reference', reference_id: 'kept' },
    ]);
    expect(await test.logs.workspaceEntries(test.workspace.id, 'reconciliation_completed')).toHaveLength(1);
    expect((await verifyRun(test, run.id, request)).FAIL).toEqual([]);
    expect(await test.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
  });

  it('opens texts that are kept to compare a SHA-256 with a keyed commitment, and says where it cannot', async () => {
    await changeSettings(test, { answer_audit_keyed_hash_enabled: true });
    const more = { environment: 'keyed' };
    await createRecord(test, { ...more, idempotency_key: 'same' });
    await createRecord(test, { ...more, idempotency_key: 'other' });
    await changeSettings(test, { answer_audit_store_question_text: false, answer_audit_store_answer_text: false });
    await createRecord(test, { ...more, idempotency_key: 'discarded' });
    const occurred_at = formatTimestamp(test.clock.nowMicros());
    const [why, because] = [commitPlain('Why?'), commitPlain('Because.')];
    const request = requestOf(test, [], {
      ...more,
      references: [
        { reference_id: 'same', occurred_at, question_hash: why, answer_hash: because },
        { reference_id: 'other', occurred_at, question_hash: because },
        { reference_id: 'discarded', occurred_at, question_hash: because },
      ],
    });
    const run = await completeRun(test, request);
    expect(run.counts).toMatchObject({ matched: 2, hashes_not_comparable: 1, hash_mismatches: 1 });
    expect(await findingsOf(run.id)).toMatchObject([
      { reference_id: 'other', detail: { reason: 'hash_mismatch', fields: ['question'] } },
    ]);
    expect((await verifyRun(test, run.id, request)).FAIL).toEqual([]);
  });
});
