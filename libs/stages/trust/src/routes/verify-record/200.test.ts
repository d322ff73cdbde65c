import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKS } from '@answer-evidence/contracts';
import { changeSettings } from '@answer-evidence/testing';
import {
  appendEvent,
  attachTrace,
  checksWith,
  createRecord,
  openTrust,
  type TrustTest,
  verifyRecord,
} from '../../fixtures/trust.ts';

const REFS = { semantic_refs: [{ concept: 'x' }], source_refs: [{ source_ref_id: 'a' }, { source_ref_id: 'b' }] };
/** What passes for every record in a log of which no head was kept outside yet. */
const ALWAYS = [
  'record_hash',
  'event_completeness',
  'status_derivation',
  'leaf_entry',
  'log_order',
  'merkle_inclusion',
  'checkpoint_signature',
  'receipt',
] as const;

function inOrder(...checks: readonly string[]): readonly string[] {
  return CHECKS.filter((check) => checks.includes(check));
}

describe('GET /api/answer-audit-logs/{answer_log_id}/ledger/verify', () => {
  let stage: TrustTest;
  beforeAll(async () => {
    stage = await openTrust();
  });

  async function expectPassing(recordId: string, ...passing: readonly string[]): Promise<void> {
    const verified = await verifyRecord(stage, recordId);
    expect(verified.checks.map(({ check }) => check)).toEqual(CHECKS);
    expect(checksWith('FAIL', verified)).toEqual([]);
    expect(checksWith('SKIP', verified)).toEqual(['reconciliation']);
    expect(checksWith('PASS', verified)).toEqual(inOrder(...ALWAYS, ...passing));
  }

  it('passes a plain record in all that applies to it, and says of which tree it speaks', async () => {
    const { id } = await createRecord(stage, REFS);
    await createRecord(stage);
    await expectPassing(id, 'question_commitment', 'answer_commitment', 'source_refs', 'semantic_refs');
    const verified = await verifyRecord(stage, id);
    const { head } = await stage.logs.snapshot(stage.workspace.id);
    expect(verified).toMatchObject({
      answer_log_id: id,
      anchoring: 'NOT_ANCHORED',
      checkpoint: { origin: stage.workspace.origin, tree_size: head.tree_size },
      status_as_of: { tree_size: head.tree_size },
    });
  });

  it('passes a corrected record in its corrections and its chain of events', async () => {
    const { id } = await createRecord(stage);
    await appendEvent(stage, id, {
      event_type: 'correction_appended',
      reason: 'wrong',
      payload: { corrected_answer_text: 'No.', ticket: 1 },
    });
    await appendEvent(stage, id, { event_type: 'retention_extended' });
    await expectPassing(id, 'question_commitment', 'answer_commitment', 'corrections', 'event_chain');
  });

  it('passes a redacted record in what is left, and calls what an event took not applicable', async () => {
    const { id } = await createRecord(stage, REFS);
    await appendEvent(stage, id, { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } });
    await appendEvent(stage, id, { event_type: 'redacted', payload: { redact_source_ref_ids: ['a'] } });
    await expectPassing(id, 'source_refs', 'semantic_refs', 'event_chain');
    await appendEvent(stage, id, {
      event_type: 'redacted',
      payload: { redact_source_ref_ids: ['b'], redact_semantic_refs: true },
    });
    await expectPassing(id, 'event_chain');
  });

  it('passes a record with the traces that are attached to it, and whatever happens to it besides', async () => {
    const { id } = await createRecord(stage);
    const other = await createRecord(stage);
    await attachTrace(stage, id);
    await attachTrace(stage, other.id);
    await appendEvent(stage, id, { event_type: 'retention_extended' });
    await attachTrace(stage, id, 'b7ad6b7169203332');
    await expectPassing(id, 'question_commitment', 'answer_commitment', 'trace_refs', 'event_chain');
  });

  it('compares the checkpoint with the head that was kept outside', async () => {
    const { id } = await createRecord(stage);
    await stage.heads.keep(stage.workspace);
    const commitments = ['question_commitment', 'answer_commitment'];
    await expectPassing(id, ...commitments, 'checkpoint_consistency');
    await createRecord(stage);
    await expectPassing(id, ...commitments, 'checkpoint_consistency');
  });
});

describe('GET …/ledger/verify under other policies', () => {
  let stage: TrustTest;
  beforeAll(async () => {
    stage = await openTrust();
  });

  it('passes keyed commitments of a record and its correction with the record’s own key', async () => {
    await changeSettings(stage, { answer_audit_keyed_hash_enabled: true });
    const { id, answer } = await createRecord(stage);
    expect(answer.hash).toMatch(/^hmac-sha256:/);
    await appendEvent(stage, id, { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } });
    const passed = checksWith('PASS', await verifyRecord(stage, id));
    expect(passed).toEqual(
      inOrder(...ALWAYS, 'question_commitment', 'answer_commitment', 'corrections', 'event_chain'),
    );
    await changeSettings(stage, { answer_audit_keyed_hash_enabled: false });
    expect(checksWith('PASS', await verifyRecord(stage, id))).toEqual(passed);
  });

  it('calls a text that was discarded or never submitted not applicable', async () => {
    await changeSettings(stage, { answer_audit_store_question_text: false, answer_audit_accept_caller_hash: true });
    const { id } = await createRecord(stage, { answer: { hash: `sha256:${'0'.repeat(64)}` } });
    const verified = await verifyRecord(stage, id);
    expect(checksWith('FAIL', verified)).toEqual([]);
    expect(checksWith('NA', verified)).toEqual(expect.arrayContaining(['question_commitment', 'answer_commitment']));
  });

  it('fails no check while events are appended to the record', async () => {
    const { id } = await createRecord(stage);
    const appending = Promise.all(
      [1, 2, 3, 4, 5].map((n) => appendEvent(stage, id, { event_type: 'retention_extended', reason: String(n) })),
    );
    const verified = await Promise.all([1, 2, 3, 4, 5].map(() => verifyRecord(stage, id)));
    await appending;
    verified.push(await verifyRecord(stage, id));
    expect(verified.flatMap((result) => checksWith('FAIL', result))).toEqual([]);
  });
});
