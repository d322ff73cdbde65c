import type { TraceCommitments, TraceSignal } from './cores.ts';
import type { EventType } from './events.ts';
import type { JsonObject } from './json.ts';
import type { RecordStatus } from './records.ts';

/** What is stored of records and their events, row by row, as in `log-rows.ts`. */

/** The immutable part of an answer record: all that its core is made of. Insert-only. */
export type RecordRow = {
  readonly leaf_index: number;
  readonly id: string;
  readonly nonce: Uint8Array;
  readonly application_key: string;
  readonly environment: string;
  readonly idempotency_key: string | null;
  readonly question_hash: string;
  readonly question_hash_key_id: string | null;
  readonly question_text_state: string;
  readonly answer_hash: string;
  readonly answer_hash_key_id: string | null;
  readonly answer_text_state: string;
  /** JCS of the array of item hashes. */
  readonly semantic_refs_json: string;
  /** JCS of the array of `{source_ref_id, hash}`. */
  readonly source_refs_json: string;
  /** JCS of the array of ids. */
  readonly evidence_access_event_ids_json: string;
  readonly external_trace_id: string | null;
  readonly external_message_id: string | null;
  readonly mode: string | null;
  readonly actor_id_hash: string | null;
  readonly session_id_hash: string | null;
  readonly retention_until: number;
  readonly created_by_json: string;
  readonly settings_version: number;
};

/** The immutable part of a lifecycle event. Insert-only. */
export type EventRow = {
  readonly record_id: string;
  readonly sequence: number;
  readonly id: string;
  readonly nonce: Uint8Array;
  readonly event_type: EventType;
  readonly actor_json: string;
  readonly prev_event_hash: string;
  readonly idempotency_key: string | null;
  readonly settings_version: number;
  readonly reason_hash: string | null;
  /** JCS of the payload's known keys. */
  readonly payload_json: string;
  readonly payload_rest_hash: string | null;
  /** JCS of the core's `corrected_answer`, `null` included. */
  readonly corrected_answer_json: string;
};

/** Status of a record that is no longer `recorded`; no row means `recorded`. */
export type StateRow = { readonly record_id: string; readonly status: RecordStatus };

/**
 * What of an object is secret and may be erased: two ciphertexts under the object's own key. Erasing deletes the row;
 * what stays disclosed is inserted again under a new key.
 */
export type SealedRow = {
  readonly object_id: string;
  readonly wrapped_key: Uint8Array;
  /** Sealed `RecordTexts` or `EventTexts`, or null when there is nothing to keep. */
  readonly texts: Uint8Array | null;
  /** Sealed `RecordItems` or `EventItems`, or null when there is nothing to keep. */
  readonly items: Uint8Array | null;
  /** When the sweep looks at them next: never later than they may be kept, and earlier than that after an extension. */
  readonly due_at: number;
};

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

/** The expiry of what a record and its events had sealed by then. Insert-only. */
export type TextExpiryRow = {
  readonly record_id: string;
  readonly id: string;
  readonly nonce: Uint8Array;
  /** The end of the retention that had passed. */
  readonly retained_until: number;
};

/** A trace that was attached to a record: all that its core is made of. Insert-only. */
export type TraceAttachmentRow = {
  readonly record_id: string;
  readonly id: string;
  readonly nonce: Uint8Array;
  readonly signal: TraceSignal;
  readonly trace_id: string;
  readonly span_id: string | null;
  readonly started_at: number | null;
  readonly commitments: TraceCommitments;
  /** JCS of the actor. */
  readonly actor_json: string;
};
