import { commitPlain, formatEntry } from '@answer-evidence/commitments';
import {
  type AnswerRecord,
  type CheckResult,
  type CreateEventRequest,
  type CreateRecordRequest,
  type EntryType,
  labelsOf,
  type Page,
  type RecordSummary,
  type TextOrHash,
  type Verification,
} from '@answer-evidence/contracts';
import type { SeenRequest } from './fake-host.ts';

/** An id. */
export const ID = '0199f3c2-0000-7000-8000-000000000001';
/** A time. */
export const AT = '2026-11-20T09:00:00.000000Z';
const HASH = `sha256:${'a'.repeat(64)}`;
const QUESTION = 'Which plan?';

/** The entry of an object whose hash is all 0xaa. */
export function createEntry(type: EntryType, id: string, subject: string): string {
  return formatEntry({ type, id, subject, seq: 0, hash: new Uint8Array(32).fill(0xaa), at: 1_700_000_000_000_000 });
}

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
  question: { hash: commitPlain(QUESTION), hash_key_id: null, text_state: 'stored' },
  answer: { hash: HASH, hash_key_id: null, text_state: 'discarded' },
  ledger: LEDGER,
};

/** A record whole, with one event. */
export const RECORD: AnswerRecord = {
  ...SUMMARY,
  question: { ...SUMMARY.question, text: QUESTION },
  answer: { ...SUMMARY.answer, text: null },
  erasure: null,
  evidence_links: [],
  ledger: { ...LEDGER, entry: createEntry('answer_recorded', ID, ID) },
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
      ledger: { ...LEDGER, entry: createEntry('lifecycle_event', ID, ID) },
    },
  ],
};

/** The record of a create, as the service answers it. */
export function recordFor({ body }: SeenRequest): AnswerRecord {
  const { question, answer, environment, ...sent } = JSON.parse(body) as CreateRecordRequest;
  const commit = ({ text, hash }: TextOrHash) => ({
    hash: hash ?? commitPlain(text ?? ''),
    hash_key_id: null,
    text: text ?? null,
    text_state: 'stored' as const,
  });
  return {
    ...RECORD,
    ...sent,
    idempotency_key: sent.idempotency_key ?? null,
    environment: environment ?? 'production',
    ...labelsOf(sent),
    retention_until: AT,
    question: commit(question),
    answer: commit(answer),
    events: [],
  };
}

/** The record after an event, as the service answers it. */
export function recordAfter({
  body,
  idempotencyKey = null,
}: {
  body: string;
  idempotencyKey?: string | undefined | null;
}) {
  const { event_type, reason, payload = {} } = JSON.parse(body) as CreateEventRequest;
  const [event] = RECORD.events ?? [];
  const { corrected_answer_text: text } = payload;
  const corrected =
    typeof text === 'string'
      ? { hash: commitPlain(text), hash_key_id: null, text, text_state: 'stored', origin: 'service' }
      : null;
  const appended = { ...event, event_type, reason: reason ?? null, idempotency_key: idempotencyKey };
  return { ...RECORD, events: [{ ...appended, corrected_answer: corrected }] };
}

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
    sequenced: {
      stated: AT,
      after: null,
      after_by: [],
      not_later_than: AT,
      not_later_than_by: [{ kind: 'anchor', name: 'tsa' }],
    },
  };
}
