import {
  type AnswerRecord,
  type CheckResult,
  labelsOf,
  type Page,
  type RecordSummary,
  type Verification,
} from '@answer-evidence/contracts';

/** An id. */
export const ID = '0199f3c2-0000-7000-8000-000000000001';
/** A time. */
export const AT = '2026-11-20T09:00:00.000000Z';
const HASH = `sha256:${'a'.repeat(64)}`;
const LEDGER = { origin: 'log.example/demo/00000000', leaf_index: 41, leaf_hash: 'b'.repeat(64) };

/** A record as lists show it. */
export const SUMMARY: RecordSummary = {
  id: ID,
  application_key: 'support-bot',
  environment: 'production',
  idempotency_key: 'msg-1',
  status: 'recorded',
  semantic_refs: [],
  source_refs: [],
  evidence_access_event_ids: [],
  ...labelsOf({}),
  retention_until: AT,
  created_at: AT,
  created_by: { kind: 'application', id: 'support-bot', token_id: ID },
  trace_refs: [],
  record_hash: HASH,
  question: { hash: HASH, hash_key_id: null, text_state: 'stored' },
  answer: { hash: HASH, hash_key_id: null, text_state: 'discarded' },
  ledger: LEDGER,
};

/** A record whole, with one event. */
export const RECORD: AnswerRecord = {
  ...SUMMARY,
  question: { ...SUMMARY.question, text: 'Which plan?' },
  answer: { ...SUMMARY.answer, text: null },
  erasure: null,
  evidence_links: [],
  ledger: { ...LEDGER, entry: '{"the":"entry"}' },
  receipt: 'c2sp.org/tlog-proof@v1\nindex 41\n\nlog\n42\nroot\n\n— log sig\n',
  events: [
    {
      id: ID,
      answer_log_id: ID,
      sequence: 1,
      event_type: 'voided',
      reason: 'wrong price',
      payload: {},
      corrected_answer: null,
      idempotency_key: null,
      actor: { kind: 'user', id: ID, token_id: ID },
      created_at: AT,
      prev_event_hash: HASH,
      event_hash: HASH,
      erasure: null,
      redacted_evidence: [],
      ledger: { ...LEDGER, entry: '{}' },
    },
  ],
};

/** One page of a list. */
export function createPage(next: string | null): Page<RecordSummary> {
  return { items: [SUMMARY], page: 1, size: 50, total: 2, total_relation: 'eq', next_cursor: next };
}

/** A verification whose checks came to these outcomes. */
export function createVerification(outcomes: readonly CheckResult['outcome'][]): Verification {
  return {
    answer_log_id: ID,
    checks: outcomes.map((outcome) => ({
      check: 'record_hash',
      outcome,
      detail: `It came to ${outcome}.`,
      compared: outcome === 'FAIL' ? { expected: HASH, actual: 'sha256:other' } : null,
      does_not_prove: 'that the answer is true',
    })),
    anchoring: 'NOT_ANCHORED',
    checkpoint: { origin: LEDGER.origin, tree_size: 42, root_hash: 'c'.repeat(64) },
    status_as_of: { tree_size: 42, at: AT },
    sequenced: { after: null, not_later_than: AT },
  };
}
