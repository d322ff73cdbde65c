import {
  eventCore,
  type EventCore,
  recordCore,
  type EventRow,
  type RecordCore,
  type RecordRow,
} from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';

/** The core of a record from its stored row, column by column. Throws when a column cannot be read. */
export function recordCoreOf(row: RecordRow): RecordCore {
  return recordCore.parse({
    id: row.id,
    nonce: formatHex(row.nonce),
    application_key: row.application_key,
    environment: row.environment,
    idempotency_key: row.idempotency_key,
    question: { hash: row.question_hash, hash_key_id: row.question_hash_key_id, text_state: row.question_text_state },
    answer: { hash: row.answer_hash, hash_key_id: row.answer_hash_key_id, text_state: row.answer_text_state },
    semantic_refs: parseJsonText(row.semantic_refs_json),
    source_refs: parseJsonText(row.source_refs_json),
    evidence_access_event_ids: parseJsonText(row.evidence_access_event_ids_json),
    external_trace_id: row.external_trace_id,
    external_message_id: row.external_message_id,
    mode: row.mode,
    actor_id_hash: row.actor_id_hash,
    session_id_hash: row.session_id_hash,
    retention_until: formatTimestamp(row.retention_until),
    created_by: parseJsonText(row.created_by_json),
    settings_version: row.settings_version,
  });
}

/** The core of an event from its stored row, column by column. Throws when a column cannot be read. */
export function eventCoreOf(row: EventRow): EventCore {
  return eventCore.parse({
    id: row.id,
    nonce: formatHex(row.nonce),
    answer_log_id: row.record_id,
    sequence: row.sequence,
    event_type: row.event_type,
    actor: parseJsonText(row.actor_json),
    prev_event_hash: row.prev_event_hash,
    idempotency_key: row.idempotency_key,
    settings_version: row.settings_version,
    reason_hash: row.reason_hash,
    payload: parseJsonText(row.payload_json),
    payload_rest_hash: row.payload_rest_hash,
    corrected_answer: parseJsonText(row.corrected_answer_json),
  });
}
