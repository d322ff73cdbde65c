import type { EntryType } from '@answer-evidence/contracts';

/** What OCSF says that is done to an entity. */
export type Activity = 'create' | 'read' | 'update' | 'delete';

/** What streams say of the entries of a type. */
export type StreamedKind = {
  /** What the entry is about, as a noun, and what is done to it. */
  readonly entity: string;
  readonly activity: Activity;
  /** What happened, in a sentence that holds no name. */
  readonly sentence: string;
  /** The member of `about` that names the entity; without it, the subject of the entry does. */
  readonly idMember?: string;
  /** Members of the core that an event holds: ids, words of the service, commitments, and names that people gave. */
  readonly members: readonly string[];
};

/**
 * A member that may be the free text of a person is in none of these lists, and neither is a setting: the log has both,
 * and an event names the entry. An entry of another type is sent as well, without members of its core.
 */
export const STREAMED_KINDS: Readonly<Partial<Record<EntryType, StreamedKind>>> = {
  genesis: {
    entity: 'log',
    activity: 'create',
    sentence: 'the log was opened',
    members: ['origin', 'vkey'],
  },
  answer_recorded: {
    entity: 'answer record',
    activity: 'create',
    sentence: 'an answer was recorded',
    members: ['application_key', 'environment', 'question', 'answer', 'retention_until', 'settings_version'],
  },
  lifecycle_event: {
    entity: 'answer record',
    activity: 'update',
    sentence: 'an event was added to a record',
    idMember: 'answer_log_id',
    members: ['answer_log_id', 'event_type', 'sequence', 'corrected_answer', 'settings_version'],
  },
  trace_attached: {
    entity: 'answer record',
    activity: 'update',
    sentence: 'a trace was attached to a record',
    idMember: 'answer_log_id',
    members: ['answer_log_id', 'signal', 'trace_id', 'span_id', 'commitments'],
  },
  evidence_linked: {
    entity: 'answer record',
    activity: 'update',
    sentence: 'evidence was linked to a record',
    idMember: 'answer_log_id',
    members: ['answer_log_id', 'asset_id'],
  },
  text_expired: {
    entity: 'answer record',
    activity: 'delete',
    sentence: 'the texts of a record expired',
    idMember: 'answer_log_id',
    members: ['answer_log_id', 'retained_until'],
  },
  evidence_registered: {
    entity: 'evidence asset',
    activity: 'create',
    sentence: 'evidence was registered',
    idMember: 'asset_id',
    members: ['asset_id', 'application_key', 'kind', 'size_bytes', 'segments_root', 'segment_count', 'retention_until'],
  },
  evidence_accessed: {
    entity: 'evidence asset',
    activity: 'read',
    sentence: 'evidence was retrieved',
    idMember: 'asset_id',
    members: ['asset_id', 'application_key', 'access'],
  },
  evidence_redacted: {
    entity: 'evidence asset',
    activity: 'delete',
    sentence: 'evidence was redacted',
    idMember: 'asset_id',
    members: ['asset_id', 'answer_log_id', 'event_id'],
  },
  evidence_expired: {
    entity: 'evidence asset',
    activity: 'delete',
    sentence: 'evidence expired',
    idMember: 'asset_id',
    members: ['asset_id', 'retained_until'],
  },
  settings_changed: {
    entity: 'settings',
    activity: 'update',
    sentence: 'the settings changed',
    members: ['version'],
  },
  hash_key_changed: {
    entity: 'hash key',
    activity: 'create',
    sentence: 'a hash key was created',
    idMember: 'hash_key_id',
    members: ['hash_key_id', 'fingerprint', 'change'],
  },
  ledger_key_changed: {
    entity: 'key of the log',
    activity: 'update',
    sentence: 'the keys of the log changed',
    members: ['vkey', 'change'],
  },
  trust_policy_changed: {
    entity: 'trust policy',
    activity: 'update',
    sentence: 'the trust policy changed',
    members: ['version'],
  },
  token_issued: {
    entity: 'token',
    activity: 'create',
    sentence: 'a token was issued',
    idMember: 'token_id',
    members: ['token_id', 'kind', 'name', 'application_key', 'scopes', 'user_id', 'expires_at', 'rotated_from'],
  },
  token_revoked: {
    entity: 'token',
    activity: 'delete',
    sentence: 'a token was revoked',
    idMember: 'token_id',
    members: ['token_id', 'replaced_by', 'overlap_seconds'],
  },
  member_changed: {
    entity: 'member',
    activity: 'update',
    sentence: 'a member changed',
    idMember: 'member_id',
    members: ['member_id', 'username', 'role', 'changes', 'version'],
  },
  reconciliation_completed: {
    entity: 'reconciliation',
    activity: 'create',
    sentence: 'a reconciliation was completed',
    idMember: 'run_id',
    members: ['run_id', 'application_key', 'window_start', 'window_end', 'counts', 'findings'],
  },
  export_made: {
    entity: 'answer records',
    activity: 'read',
    sentence: 'records were exported',
    members: ['format', 'records', 'content_hash'],
  },
  epoch_opened: {
    entity: 'log',
    activity: 'update',
    sentence: 'the log continues under another name',
    members: ['origin', 'vkey'],
  },
  sweep_confirmed: {
    entity: 'retention sweep',
    activity: 'update',
    sentence: 'an operator confirmed what sweeps had held back',
    members: ['due_before', 'texts', 'evidence', 'clock'],
  },
  texts_revealed: {
    entity: 'answer record',
    activity: 'read',
    sentence: 'texts of records were read',
    idMember: 'answer_log_id',
    members: ['operation', 'answer_log_id', 'answer_log_ids'],
  },
  notification_target_changed: {
    entity: 'notification target',
    activity: 'update',
    sentence: 'a target of notifications changed',
    idMember: 'target_id',
    members: ['target_id', 'name', 'origin', 'change', 'changed'],
  },
  proof_link_made: {
    entity: 'proof link',
    activity: 'create',
    sentence: 'a link to the proof of a record was made',
    members: ['answer_log_id', 'shows', 'expires_at'],
  },
  proof_link_opened: {
    entity: 'proof link',
    activity: 'read',
    sentence: 'a link to the proof of a record was opened',
    idMember: 'proof_link_id',
    members: ['answer_log_id', 'proof_link_id'],
  },
  proof_link_revoked: {
    entity: 'proof link',
    activity: 'delete',
    sentence: 'a link to the proof of a record was revoked',
    idMember: 'proof_link_id',
    members: ['answer_log_id', 'proof_link_id'],
  },
  search_opened: {
    entity: 'answer records',
    activity: 'read',
    sentence: 'texts were searched',
    members: [],
  },
  hold_placed: {
    entity: 'hold',
    activity: 'create',
    sentence: 'records were put on hold',
    members: ['version', 'matter', 'filters', 'answer_log_ids'],
  },
  hold_released: {
    entity: 'hold',
    activity: 'delete',
    sentence: 'a hold was released',
    idMember: 'hold_id',
    members: ['hold_id', 'version', 'matter'],
  },
  stream_changed: {
    entity: 'stream',
    activity: 'update',
    sentence: 'a stream of entries changed',
    idMember: 'stream_id',
    members: ['stream_id', 'name', 'destination', 'format', 'include_reasons', 'change', 'changed'],
  },
};
