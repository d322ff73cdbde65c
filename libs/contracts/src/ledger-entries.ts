import * as z from 'zod';
import { OPEN_VALUES, timestamp, uuid } from './primitives.ts';

/** Every type of ledger entry; the list only grows, a type's meaning never changes. */
export const ENTRY_TYPES = [
  'genesis',
  'answer_recorded',
  'lifecycle_event',
  'trace_attached',
  'evidence_linked',
  'text_expired',
  'evidence_registered',
  'evidence_accessed',
  'evidence_redacted',
  'evidence_expired',
  'settings_changed',
  'hash_key_changed',
  'ledger_key_changed',
  'trust_policy_changed',
  'token_issued',
  'token_revoked',
  'member_changed',
  'reconciliation_completed',
  'export_made',
  'epoch_opened',
  'sweep_confirmed',
  'texts_revealed',
  'notification_target_changed',
  'proof_link_made',
  'proof_link_opened',
  'proof_link_revoked',
  'search_opened',
  'stream_changed',
  'approval_requested',
  'approval_decided',
  'hold_placed',
  'hold_released',
] as const;

/** What an entry says happened. */
export const entryType = z.enum(ENTRY_TYPES).meta(OPEN_VALUES);
export type EntryType = z.infer<typeof entryType>;

/** The types of what is attached to a record besides its events; a bundle shows it. */
export const ATTACHMENT_TYPES: readonly EntryType[] = ['trace_attached', 'evidence_linked', 'text_expired'];

/**
 * One ledger entry, version 1. The leaf of the log is the JCS (RFC 8785) of exactly these members; the
 * bytes are for ever. `hash` commits to the core of the object named by `id`; `seq` is the event's sequence or the
 * settings' version, else 0; `at` is greater than in the entry before.
 */
export const ledgerEntry = z.strictObject({
  v: z.literal(1),
  type: entryType,
  id: uuid,
  subject: uuid,
  seq: z.int().nonnegative(),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  at: timestamp,
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** Where an object stands in the ledger, as the API returns it. `entry` is the exact text of the leaf. */
export const ledgerPosition = z.strictObject({
  origin: z.string(),
  leaf_index: z.int().nonnegative(),
  leaf_hash: z.string().regex(/^[0-9a-f]{64}$/),
  entry: z.string(),
});
/** The same without the text. */
export const leafPosition = ledgerPosition.omit({ entry: true });
