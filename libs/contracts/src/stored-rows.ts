import type { EntryType } from './ledger-entries.ts';
import type { JsonObject } from './json.ts';
import type { AnchorType } from './trust.ts';
import type { TraceCommitments, TraceSignal } from './cores.ts';
import type { EventType } from './events.ts';
import type { WorkspaceTopic } from './jobs.ts';
import type { ProblemCode } from './problems.ts';
import type { FindingType } from './reconciliation-findings.ts';
import type { MatchField } from './reconciliations.ts';
import type { RecordStatus } from './records.ts';
import type { Role } from './tokens.ts';
import type { UnattachedReason } from './traces.ts';

/**
 * What stands in the database, row by row, without the workspace id that every key begins with. Times are
 * microseconds since 1970 as safe integers. `…_json` columns hold the JCS text, never a re-serialised form.
 */

/** One leaf of a workspace's log. The entry text is rebuilt from these columns. Insert-only. */
export type LeafRow = {
  readonly leaf_index: number;
  readonly type: EntryType;
  readonly id: string;
  readonly subject: string;
  readonly seq: number;
  /** SHA-256 that the entry's `hash` states, 32 bytes. */
  readonly hash: Uint8Array;
  readonly at: number;
  /** RFC 6962 leaf hash of the entry text, 32 bytes. */
  readonly leaf_hash: Uint8Array;
};

/** One full tile of 256 hashes; `root` is the hash of its whole subtree, which is its hash one tile level up. Insert-only. */
export type TileRow = {
  readonly level: number;
  readonly tile_index: number;
  readonly root: Uint8Array;
  readonly hashes: Uint8Array;
};

/** One group commit: the tree grew from `from_size` to `tree_size`. The rows of a log leave no gap. Insert-only. */
export type CommitRow = { readonly from_size: number; readonly tree_size: number; readonly root: Uint8Array };

/** The head of a workspace's log, one row, updated by every commit. `mac` is keyed by a secret outside the database. */
export type HeadRow = {
  readonly tree_size: number;
  /** Roots of the perfect subtrees, largest first, 32 bytes each. */
  readonly right_edge: Uint8Array;
  readonly last_at: number;
  readonly settings_version: number;
  readonly mac: Uint8Array;
};

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

/** Items of one OTLP request that were accepted and are not worked off, sealed under a key of their own; the row goes when they are. */
export type OtlpInboxRow = {
  readonly id: string;
  readonly received_at: number;
  readonly item_count: number;
  readonly wrapped_key: Uint8Array;
  readonly items: Uint8Array;
};

/** An OTLP item that waits for its record, sealed under a key of its own; the row goes when it has waited. */
export type OtlpWaitingRow = {
  readonly id: string;
  readonly application_key: string;
  readonly idempotency_key: string;
  /** Empty where the item names none. */
  readonly trace_id: string;
  readonly span_id: string;
  readonly received_at: number;
  readonly due_at: number;
  readonly wrapped_key: Uint8Array;
  readonly item: Uint8Array;
};

/** An OTLP item that belongs to no record. */
export type OtlpUnattachedRow = {
  readonly id: string;
  readonly application_key: string;
  readonly environment: string;
  readonly idempotency_key: string;
  readonly signal: TraceSignal;
  /** Empty where the item names none. */
  readonly trace_id: string;
  readonly span_id: string;
  readonly reason: UnattachedReason;
  readonly record_id: string | null;
  readonly received_at: number;
  readonly unattached_at: number;
};

/** Status of a record that is no longer `recorded`; no row means `recorded`. */
export type StateRow = { readonly record_id: string; readonly status: RecordStatus };

/** One idempotency key that was used. `mac` binds the row together under a secret outside the database. Insert-only. */
export type IdempotencyRow = {
  /** `record:<application key>` or `event:<record id>`. */
  readonly scope: string;
  readonly idempotency_key: string;
  readonly object_id: string;
  readonly fingerprint: Uint8Array;
  readonly mac: Uint8Array;
};

/** Core of an entry whose subject is the workspace, as JCS text; `seq` is the settings' version, else 0. Insert-only. */
export type WorkspaceEntryRow = {
  readonly id: string;
  readonly type: EntryType;
  readonly seq: number;
  readonly core_json: string;
};

/** A tenant's HMAC key, wrapped. Insert-only. */
export type HashKeyRow = { readonly id: string; readonly wrapped_key: Uint8Array };

/** A signing key that was added to a log, its seed wrapped. Insert-only. */
export type LedgerKeyRow = { readonly vkey: string; readonly wrapped_seed: Uint8Array };

/** A token. Of a user token the SHA-256 of its secret is kept, of an application JWT nothing. */
export type TokenRow = {
  readonly id: string;
  readonly kind: 'user' | 'application';
  readonly name: string;
  readonly application_key: string | null;
  /** JCS of the array of scopes. */
  readonly scopes_json: string;
  readonly user_id: string | null;
  readonly secret_hash: Uint8Array | null;
  readonly expires_at: number;
  readonly created_at: number;
  readonly revoked_at: number | null;
  /** After a rotation: how long the token stays good although it is revoked. */
  readonly overlap_until: number | null;
  /** When it was cut off before that. */
  readonly cut_at: number | null;
};

/**
 * A member of the workspace as of their newest `member_changed` entry; `version` is its number. 0: made by a release whose log
 * named no members, and not yet found by this one.
 */
export type MemberRow = {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  readonly created_at: number;
  readonly disabled_at: number | null;
  readonly removed_at: number | null;
  readonly version: number;
};

/**
 * How a member may sign in: the hash of a password, or of the secret of a link that sets one. `entry_id` is the entry that says
 * so; `mac` binds the row together under a secret outside the database, so that nobody who can write to it makes a password.
 */
export type CredentialRow = {
  readonly member_id: string;
  readonly entry_id: string;
  /** PHC string of argon2id, with its salt and parameters. */
  readonly password_hash: string | null;
  /** SHA-256 of the 32 secret bytes. */
  readonly link_hash: Uint8Array | null;
  readonly link_expires_at: number | null;
  readonly mac: Uint8Array;
};

/** A job of a workspace in the outbox, as it is written; deleted when it is done. */
export type JobRow = {
  readonly id: string;
  readonly topic: WorkspaceTopic;
  readonly subject: string | null;
  readonly created_at: number;
  /** It does not run before this time. */
  readonly due_at: number;
};

/** A job that was given up. */
export type DeadLetterRow = {
  readonly id: string;
  readonly topic: string;
  readonly subject: string | null;
  readonly attempts: number;
  readonly reason_code: ProblemCode;
  readonly reason_detail: string;
  readonly created_at: number;
  readonly failed_at: number;
  readonly replayed_at: number | null;
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

/** One published checkpoint. Its note is signed anew each time it is shown, to the same bytes. Insert-only. */
export type PublishedRow = {
  readonly tree_size: number;
  readonly root: Uint8Array;
  readonly policy_version: number;
  readonly published_at: number;
  readonly mac: Uint8Array;
};

/** One witness's cosignature of a published checkpoint. Insert-only. */
export type CosignatureRow = {
  readonly tree_size: number;
  /** Ed25519, 32 bytes: witnesses are told apart by it, whatever they are called. */
  readonly public_key: Uint8Array;
  readonly vkey: string;
  /** 8 bytes of time, 64 of signature. */
  readonly signature: Uint8Array;
  readonly received_at: number;
  readonly mac: Uint8Array;
};

/** One anchor that a published checkpoint is to have. Insert-only. */
export type AnchorRow = {
  readonly id: string;
  readonly tree_size: number;
  readonly anchor_id: string;
  readonly type: AnchorType;
  readonly policy_version: number;
  readonly created_at: number;
  readonly mac: Uint8Array;
};

/** One attempt at an anchor. Insert-only. */
export type AttemptRow = {
  readonly anchor: string;
  readonly attempt: number;
  readonly at: number;
  readonly outcome: 'confirmed' | 'failed';
  readonly detail: string;
  readonly anchored_at: number | null;
  readonly artefact: Uint8Array | null;
  readonly mac: Uint8Array;
};

/** How many rows of each kind vouch for a workspace's log. */
export type TallyRow = {
  readonly checkpoints: number;
  readonly cosignatures: number;
  readonly anchors: number;
  readonly attempts: number;
  readonly mac: Uint8Array;
};

/** How a witness does. */
export type WitnessStateRow = {
  readonly public_key: Uint8Array;
  /** The largest tree that it has cosigned. */
  readonly tree_size: number | null;
  readonly failures: number;
  readonly last_error: string | null;
  readonly next_attempt_at: number;
};

/** The secret of one anchor of the policy, sealed under a key of its own. */
export type AnchorSecretRow = {
  readonly anchor_id: string;
  /** What the key was made for: the entry of the change that brought the secret. */
  readonly object_id: string;
  readonly wrapped_key: Uint8Array;
  readonly secret: Uint8Array;
};

/** A reconciliation as it was asked for. `mac` binds the row together under a secret outside the database. Insert-only. */
export type RunRow = {
  readonly id: string;
  readonly application_key: string;
  readonly environment: string;
  readonly match_on: MatchField;
  readonly window_start: number;
  readonly window_end: number;
  readonly max_lateness_seconds: number;
  readonly reference_count: number;
  /** Root of the reference set, 32 bytes. */
  readonly references_root: Uint8Array;
  readonly created_by_json: string;
  readonly created_at: number;
  readonly idempotency_key: string | null;
  readonly fingerprint: Uint8Array;
  readonly mac: Uint8Array;
};

/** One reference of a reconciliation, at its place in the caller's list. Insert-only. */
export type RunReferenceRow = {
  readonly run_id: string;
  readonly position: number;
  readonly reference_id: string;
  readonly occurred_at: number;
  readonly question_hash: string | null;
  readonly answer_hash: string | null;
};

/** How far a reconciliation has come. What it begins with and what it was decided with is set once. */
export type RunStateRow = {
  readonly run_id: string;
  readonly status: 'queued' | 'running' | 'completed';
  /** From 0 to 100. */
  readonly progress: number;
  readonly started_at: number | null;
  /** The tree that it speaks of. */
  readonly tree_size: number | null;
  /** Leaves below it are under an anchored checkpoint; null when the policy asked for no anchor. */
  readonly anchored_size: number | null;
  /** JCS of the counts; there when record set and findings are stored. */
  readonly counts_json: string | null;
  /** The entry that completes it; there when record set and findings are stored. */
  readonly entry_id: string | null;
};

/** One record of a record set: what was read of it besides what its leaf commits to. Insert-only. */
export type RunRecordRow = {
  readonly run_id: string;
  readonly leaf_index: number;
  readonly record_id: string;
  readonly status: RecordStatus;
  readonly question_opened: boolean;
  readonly question_equals: string | null;
  readonly answer_opened: boolean;
  readonly answer_equals: string | null;
  readonly named_earlier: string | null;
};

/** One finding, at its place in the order of the findings' root. Insert-only. */
export type RunFindingRow = {
  readonly run_id: string;
  readonly position: number;
  readonly type: FindingType;
  readonly reference_id: string | null;
  readonly answer_log_id: string | null;
  /** JCS of the detail. */
  readonly detail_json: string;
};
