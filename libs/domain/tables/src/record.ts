import {
  eventCore,
  type EventType,
  type JsonObject,
  mapLabels,
  recordCore,
  type RecordStatus,
  textExpiredCore,
  traceAttachedCore,
  type TraceCommitments,
  type TraceSignal,
} from '@answer-evidence/contracts';
import { bigint, bytea, integer, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** The immutable part of an answer record: all that its core is made of. */
export const RECORDS = table('answer_records', {
  key: ['id'],
  insertOnly: true,
  belongsTo: { record: 'id' },
  noun: 'record',
  core: recordCore,
  columns: {
    leaf_index: bigint,
    id: uuid,
    nonce: bytea,
    application_key: text,
    environment: text,
    idempotency_key: nullable(text),
    question_hash: text,
    question_hash_key_id: nullable(text),
    question_text_state: text,
    answer_hash: text,
    answer_hash_key_id: nullable(text),
    answer_text_state: text,
    /** JCS of the array of item hashes. */
    semantic_refs_json: text,
    /** JCS of the array of `{source_ref_id, hash}`. */
    source_refs_json: text,
    /** JCS of the array of ids. */
    evidence_access_event_ids_json: text,
    ...mapLabels(() => nullable(text)),
    retention_until: bigint,
    created_by_json: text,
    settings_version: integer,
    /** What its idempotency key was used for, where that is no row of its own. */
    key_claim: nullable(bytea),
  },
});
export type RecordRow = RowOf<typeof RECORDS>;

/** A record without what only the log gives it. */
export type UnplacedRecord = Omit<RecordRow, 'leaf_index' | 'key_claim'>;

/** The immutable part of a lifecycle event. */
export const EVENTS = table('lifecycle_events', {
  key: ['record_id', 'sequence'],
  insertOnly: true,
  belongsTo: { record: 'record_id' },
  leafType: 'lifecycle_event',
  noun: 'event',
  core: eventCore,
  columns: {
    record_id: uuid,
    sequence: integer,
    id: uuid,
    nonce: bytea,
    event_type: oneOf<EventType>(),
    actor_json: text,
    prev_event_hash: text,
    idempotency_key: nullable(text),
    settings_version: integer,
    reason_hash: nullable(text),
    /** JCS of the payload's known keys. */
    payload_json: text,
    payload_rest_hash: nullable(text),
    /** JCS of the core's `corrected_answer`, `null` included. */
    corrected_answer_json: text,
    /** JCS of who approved it; null where the workspace demanded no second person. */
    approval_json: nullable(text),
  },
});
export type EventRow = RowOf<typeof EVENTS>;

/** Status of a record that is no longer `recorded`; no row means `recorded`. */
const RECORD_STATES = table('record_states', {
  key: ['record_id'],
  belongsTo: { record: 'record_id' },
  replaces: ['status'],
  noun: 'status',
  columns: {
    record_id: uuid,
    status: oneOf<RecordStatus>(),
    leaf_index: bigint,
    application_key: text,
    environment: text,
    mode: nullable(text),
    actor_id_hash: nullable(text),
  },
});

/** What a state repeats of its record, for lists by status. */
export type ListedRecord = Omit<RowOf<typeof RECORD_STATES>, 'record_id' | 'status'>;

/** The part of a record that its state repeats. */
export function listedOf(record: ListedRecord): ListedRecord {
  const { leaf_index, application_key, environment, mode, actor_id_hash } = record;
  return { leaf_index, application_key, environment, mode, actor_id_hash };
}

/** What is secret of an object, under its own key. Erasing deletes the row; what stays is inserted under a new key. */
export const SEALED = table('sealed_contents', {
  key: ['object_id'],
  columns: {
    object_id: uuid,
    wrapped_key: bytea,
    /** Sealed `RecordTexts` or `EventTexts`, or null when there is nothing to keep. */
    texts: nullable(bytea),
    /**
     * Sealed `RecordItems` or `EventItems`, or null when there is nothing to keep. Where the key is that of a whole:
     * `RecordTexts` and `RecordItems`, sealed as one.
     */
    items: nullable(bytea),
    /** When the sweep looks at them next: never later than they may be kept; earlier after an extension. */
    due_at: bigint,
  },
});
export type SealedRow = RowOf<typeof SEALED>;

/** A disclosed item with the salt of its hash (16 bytes, hex). */
export type SaltedItem<T> = { readonly salt: string; readonly item: T };

/** Sealed texts of a record; `salt` (32 bytes, hex) makes the record's HMAC key and goes with the texts. */
export type RecordTexts = {
  readonly question: string | null;
  readonly answer: string | null;
  readonly salt: string | null;
};

/** Sealed items of a record, in the order of the core; null where one was redacted. */
export type RecordItems = {
  readonly semantic_refs: readonly (SaltedItem<JsonObject> | null)[];
  readonly source_refs: readonly (SaltedItem<JsonObject> | null)[];
};

/** Sealed text of a correction. */
export type EventTexts = { readonly corrected_answer: string | null; readonly salt: string | null };

/** Sealed reason and open part of the payload of an event. */
export type EventItems = {
  readonly reason: SaltedItem<string> | null;
  readonly payload_rest: SaltedItem<JsonObject> | null;
};

/** The expiry of what a record and its events had sealed by then. */
export const EXPIRIES = table('text_expiries', {
  key: ['record_id', 'id'],
  insertOnly: true,
  belongsTo: { record: 'record_id' },
  leafType: 'text_expired',
  noun: 'expiry',
  core: textExpiredCore,
  columns: {
    record_id: uuid,
    id: uuid,
    nonce: bytea,
    /** The end of the retention that had passed. */
    retained_until: bigint,
  },
});
export type TextExpiryRow = RowOf<typeof EXPIRIES>;

/** A trace that was attached to a record: all that its core is made of. */
export const TRACES = table('trace_attachments', {
  key: ['record_id', 'id'],
  insertOnly: true,
  belongsTo: { record: 'record_id' },
  leafType: 'trace_attached',
  noun: 'trace',
  core: traceAttachedCore,
  columns: {
    record_id: uuid,
    id: uuid,
    nonce: bytea,
    signal: oneOf<TraceSignal>(),
    trace_id: text,
    span_id: nullable(text),
    started_at: nullable(bigint),
    commitments: oneOf<TraceCommitments>(),
    /** JCS of the actor. */
    actor_json: text,
  },
});
export type TraceAttachmentRow = RowOf<typeof TRACES>;

/** The tables whose rows belong to one record, in the order of insertion. */
export const OF_A_RECORD = {
  records: RECORDS,
  events: EVENTS,
  expiries: EXPIRIES,
  traces: TRACES,
  states: RECORD_STATES,
};
