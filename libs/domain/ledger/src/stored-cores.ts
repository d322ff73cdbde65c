import {
  type EventCore,
  eventCore,
  type JsonObject,
  type JsonValue,
  type RecordCore,
  recordCore,
  type TextExpiredCore,
  textExpiredCore,
  type TraceAttachedCore,
  traceAttachedCore,
} from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import type { EventRow, RecordRow, TextExpiryRow, TraceAttachmentRow } from '@answer-evidence/tables';

/** The JSON of a column, or its text as it is when it is no JSON: what is wrong with it is the schema's to say. */
export function columnOf(text: string): JsonValue {
  try {
    return parseJsonText(text);
  } catch {
    return text;
  }
}

/** The core of a record from its stored row, column by column. Throws when it is not of the form of a core. */
export function recordCoreOf(row: RecordRow): RecordCore {
  return recordCore.parse(describeRecordCore(row));
}

/** The core of an event from its stored row, column by column. Throws when it is not of the form of a core. */
export function eventCoreOf(row: EventRow): EventCore {
  return eventCore.parse(describeEventCore(row));
}

/** The core of an expiry from its stored row. Throws when it is not of the form of a core. */
export function expiryCoreOf(row: TextExpiryRow): TextExpiredCore {
  return textExpiredCore.parse(describeExpiryCore(row));
}

/** The core of an attached trace from its stored row. Throws when it is not of the form of a core. */
export function traceCoreOf(row: TraceAttachmentRow): TraceAttachedCore {
  return traceAttachedCore.parse(describeTraceCore(row));
}

/** What an attached trace's row says its core is, whether or not it is one. */
export function describeTraceCore(row: TraceAttachmentRow): JsonObject {
  return {
    id: row.id,
    nonce: formatHex(row.nonce),
    answer_log_id: row.record_id,
    signal: row.signal,
    trace_id: row.trace_id,
    span_id: row.span_id,
    started_at: row.started_at === null ? null : formatTimestamp(row.started_at),
    commitments: row.commitments,
    actor: columnOf(row.actor_json),
  };
}

/** What an expiry's row says its core is, whether or not it is one. */
export function describeExpiryCore(row: TextExpiryRow): JsonObject {
  return {
    id: row.id,
    nonce: formatHex(row.nonce),
    answer_log_id: row.record_id,
    retained_until: formatTimestamp(row.retained_until),
  };
}

/** What a record's row says its core is, whether or not it is one. */
export function describeRecordCore(row: RecordRow): JsonObject {
  return {
    id: row.id,
    nonce: formatHex(row.nonce),
    application_key: row.application_key,
    environment: row.environment,
    idempotency_key: row.idempotency_key,
    question: { hash: row.question_hash, hash_key_id: row.question_hash_key_id, text_state: row.question_text_state },
    answer: { hash: row.answer_hash, hash_key_id: row.answer_hash_key_id, text_state: row.answer_text_state },
    semantic_refs: columnOf(row.semantic_refs_json),
    source_refs: columnOf(row.source_refs_json),
    evidence_access_event_ids: columnOf(row.evidence_access_event_ids_json),
    external_trace_id: row.external_trace_id,
    external_message_id: row.external_message_id,
    mode: row.mode,
    actor_id_hash: row.actor_id_hash,
    session_id_hash: row.session_id_hash,
    retention_until: formatTimestamp(row.retention_until),
    created_by: columnOf(row.created_by_json),
    settings_version: row.settings_version,
  };
}

/** What an event's row says its core is, whether or not it is one. */
export function describeEventCore(row: EventRow): JsonObject {
  return {
    id: row.id,
    nonce: formatHex(row.nonce),
    answer_log_id: row.record_id,
    sequence: row.sequence,
    event_type: row.event_type,
    actor: columnOf(row.actor_json),
    prev_event_hash: row.prev_event_hash,
    idempotency_key: row.idempotency_key,
    settings_version: row.settings_version,
    reason_hash: row.reason_hash,
    payload: columnOf(row.payload_json),
    payload_rest_hash: row.payload_rest_hash,
    corrected_answer: columnOf(row.corrected_answer_json),
  };
}

/** The JCS text of a record's core, written from its row: the general writer's bytes. Throws `EncodingError`. */
export function formatRecordCore(row: Omit<RecordRow, 'leaf_index'>): string {
  return (
    `{"actor_id_hash":${canonicalize(row.actor_id_hash)}` +
    `,"answer":{"hash":"${row.answer_hash}","hash_key_id":${canonicalize(row.answer_hash_key_id)},"text_state":"${row.answer_text_state}"}` +
    `,"application_key":${canonicalize(row.application_key)}` +
    `,"created_by":${row.created_by_json}` +
    `,"environment":${canonicalize(row.environment)}` +
    `,"evidence_access_event_ids":${row.evidence_access_event_ids_json}` +
    `,"external_message_id":${canonicalize(row.external_message_id)}` +
    `,"external_trace_id":${canonicalize(row.external_trace_id)}` +
    `,"id":"${row.id}"` +
    `,"idempotency_key":${canonicalize(row.idempotency_key)}` +
    `,"mode":${canonicalize(row.mode)}` +
    `,"nonce":"${formatHex(row.nonce)}"` +
    `,"question":{"hash":"${row.question_hash}","hash_key_id":${canonicalize(row.question_hash_key_id)},"text_state":"${row.question_text_state}"}` +
    `,"retention_until":"${formatTimestamp(row.retention_until)}"` +
    `,"semantic_refs":${row.semantic_refs_json}` +
    `,"session_id_hash":${canonicalize(row.session_id_hash)}` +
    `,"settings_version":${row.settings_version}` +
    `,"source_refs":${row.source_refs_json}}`
  );
}
