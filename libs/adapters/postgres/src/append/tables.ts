import type {
  CommitRow,
  CredentialRow,
  EventRow,
  HashKeyRow,
  IdempotencyRow,
  JobRow,
  LeafRow,
  LedgerKeyRow,
  MemberRow,
  RecordRow,
  SealedRow,
  TextExpiryRow,
  TileRow,
  TokenRow,
  TraceAttachmentRow,
  WorkspaceEntryRow,
} from '@answer-evidence/contracts';
import type { Table } from './insert-rows.ts';

/** The columns of every table that the write path writes, in the order of insertion. */
export const LEAVES: Table<LeafRow> = {
  name: 'ledger_leaves',
  columns: ['leaf_index', 'type', 'id', 'subject', 'seq', 'hash', 'at', 'leaf_hash'],
};
/** Full tiles. */
export const TILES: Table<TileRow> = { name: 'ledger_tiles', columns: ['level', 'tile_index', 'root', 'hashes'] };
/** Group commits. */
export const COMMITS: Table<CommitRow> = { name: 'ledger_commits', columns: ['from_size', 'tree_size', 'root'] };
/** Immutable parts of records. */
export const RECORDS: Table<RecordRow> = {
  name: 'answer_records',
  columns: [
    'leaf_index',
    'id',
    'nonce',
    'application_key',
    'environment',
    'idempotency_key',
    'question_hash',
    'question_hash_key_id',
    'question_text_state',
    'answer_hash',
    'answer_hash_key_id',
    'answer_text_state',
    'semantic_refs_json',
    'source_refs_json',
    'evidence_access_event_ids_json',
    'external_trace_id',
    'external_message_id',
    'mode',
    'actor_id_hash',
    'session_id_hash',
    'retention_until',
    'created_by_json',
    'settings_version',
  ],
};
/** Immutable parts of lifecycle events. */
export const EVENTS: Table<EventRow> = {
  name: 'lifecycle_events',
  columns: [
    'record_id',
    'sequence',
    'id',
    'nonce',
    'event_type',
    'actor_json',
    'prev_event_hash',
    'idempotency_key',
    'settings_version',
    'reason_hash',
    'payload_json',
    'payload_rest_hash',
    'corrected_answer_json',
  ],
};
/** Erasable contents. */
export const SEALED: Table<SealedRow> = {
  name: 'sealed_contents',
  columns: ['object_id', 'wrapped_key', 'texts', 'items', 'due_at'],
};
/** Expiries of records' contents. */
export const EXPIRIES: Table<TextExpiryRow> = {
  name: 'text_expiries',
  columns: ['record_id', 'id', 'nonce', 'retained_until'],
};
/** Traces that were attached to records. */
export const TRACES: Table<TraceAttachmentRow> = {
  name: 'trace_attachments',
  columns: ['record_id', 'id', 'nonce', 'signal', 'trace_id', 'span_id', 'started_at', 'commitments', 'actor_json'],
};
/** Used idempotency keys. */
export const IDEMPOTENCY: Table<IdempotencyRow> = {
  name: 'idempotency_keys',
  columns: ['scope', 'idempotency_key', 'object_id', 'fingerprint', 'mac'],
};
/** Cores of workspace entries. */
export const WORKSPACE_ENTRIES: Table<WorkspaceEntryRow> = {
  name: 'workspace_entries',
  columns: ['id', 'type', 'seq', 'core_json'],
};
/** Tenants' hash keys. */
export const HASH_KEYS: Table<HashKeyRow> = { name: 'hash_keys', columns: ['id', 'wrapped_key'] };
/** Signing keys that were added to logs. */
export const LEDGER_KEYS: Table<LedgerKeyRow> = { name: 'ledger_keys', columns: ['vkey', 'wrapped_seed'] };
/** Tokens. */
export const TOKENS: Table<TokenRow> = {
  name: 'tokens',
  columns: [
    'id',
    'kind',
    'name',
    'application_key',
    'scopes_json',
    'user_id',
    'secret_hash',
    'expires_at',
    'created_at',
    'revoked_at',
    'overlap_until',
    'cut_at',
  ],
};
/** Members. */
export const MEMBERS: Table<MemberRow> = {
  name: 'members',
  columns: ['id', 'username', 'role', 'created_at', 'disabled_at', 'removed_at', 'version'],
};
/** How members sign in. */
export const CREDENTIALS: Table<CredentialRow> = {
  name: 'member_credentials',
  columns: ['member_id', 'entry_id', 'password_hash', 'link_hash', 'link_expires_at', 'mac'],
};
/** Jobs that wait to be handed to the queue. */
export const OUTBOX: Table<JobRow> = { name: 'outbox', columns: ['id', 'topic', 'subject', 'created_at', 'due_at'] };
