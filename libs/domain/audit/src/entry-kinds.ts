import type { EntryType } from '@answer-evidence/contracts';

/**
 * Whose entry a type is: that decides its subject, and where its object is stored. What is `attached` belongs to a
 * record.
 */
type EntryKind = 'genesis' | 'epoch' | 'record' | 'attached' | 'evidence' | 'workspace';

/** The kind of every type. */
export const ENTRY_KINDS: Readonly<Record<EntryType, EntryKind>> = {
  genesis: 'genesis',
  answer_recorded: 'record',
  lifecycle_event: 'attached',
  trace_attached: 'attached',
  evidence_linked: 'evidence',
  text_expired: 'attached',
  evidence_registered: 'evidence',
  evidence_accessed: 'evidence',
  evidence_redacted: 'evidence',
  evidence_expired: 'evidence',
  settings_changed: 'workspace',
  hash_key_changed: 'workspace',
  ledger_key_changed: 'workspace',
  trust_policy_changed: 'workspace',
  token_issued: 'workspace',
  token_revoked: 'workspace',
  member_changed: 'workspace',
  reconciliation_completed: 'workspace',
  export_made: 'workspace',
  epoch_opened: 'epoch',
  sweep_confirmed: 'workspace',
  texts_revealed: 'workspace',
};
