import type { EntryType } from '@answer-evidence/contracts';

/** What the order of a log reads of an entry. `at` is in microseconds since 1970. */
export type PlacedEntry = {
  readonly type: EntryType;
  readonly id: string;
  readonly subject: string;
  readonly seq: number;
  readonly at: number;
};

/** What the entries of a type are about (docs/formats/log.md, "Entries and leaves"). */
type SubjectKind = 'itself' | 'record' | 'asset' | 'workspace';

/**
 * What the `seq` of a type is: 0, the number of the entry among those of its type in the log, among the events of its
 * record, or among the changes of a member, whom no entry names.
 */
type SeqKind = 'zero' | 'of-type' | 'of-record' | 'of-member';

/** The subject and the `seq` of every type. */
export const PLACES: Readonly<Record<EntryType, readonly [SubjectKind, SeqKind]>> = {
  genesis: ['itself', 'zero'],
  epoch_opened: ['itself', 'of-type'],
  answer_recorded: ['itself', 'zero'],
  lifecycle_event: ['record', 'of-record'],
  trace_attached: ['record', 'zero'],
  evidence_linked: ['record', 'zero'],
  text_expired: ['record', 'zero'],
  evidence_registered: ['asset', 'zero'],
  evidence_accessed: ['asset', 'zero'],
  evidence_redacted: ['asset', 'zero'],
  evidence_expired: ['asset', 'zero'],
  settings_changed: ['workspace', 'of-type'],
  hash_key_changed: ['workspace', 'zero'],
  ledger_key_changed: ['workspace', 'of-type'],
  trust_policy_changed: ['workspace', 'of-type'],
  token_issued: ['workspace', 'zero'],
  token_revoked: ['workspace', 'zero'],
  member_changed: ['workspace', 'of-member'],
  reconciliation_completed: ['workspace', 'zero'],
  export_made: ['workspace', 'zero'],
  sweep_confirmed: ['workspace', 'zero'],
  texts_revealed: ['workspace', 'zero'],
  notification_target_changed: ['workspace', 'of-type'],
  stream_changed: ['workspace', 'of-type'],
  proof_link_made: ['workspace', 'zero'],
  proof_link_opened: ['workspace', 'zero'],
  proof_link_revoked: ['workspace', 'zero'],
  search_opened: ['workspace', 'zero'],
  approval_requested: ['workspace', 'zero'],
  approval_decided: ['workspace', 'zero'],
  hold_placed: ['workspace', 'of-type'],
  hold_released: ['workspace', 'of-type'],
};
