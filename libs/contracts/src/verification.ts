import * as z from 'zod';
import { OPEN_VALUES, timestamp, uuid } from './primitives.ts';

/** Every check, in the order in which results are listed. */
export const CHECKS = [
  'question_commitment',
  'answer_commitment',
  'corrections',
  'source_refs',
  'semantic_refs',
  'trace_refs',
  'record_hash',
  'event_chain',
  'event_completeness',
  'status_derivation',
  'leaf_entry',
  'log_order',
  'merkle_inclusion',
  'checkpoint_signature',
  'checkpoint_consistency',
  'receipt',
  'evidence_binding',
  'reconciliation',
  'witness_cosignatures',
  'external_anchor',
  'anchored',
] as const;
/** The name of a check. */
export const checkName = z.enum(CHECKS).meta(OPEN_VALUES);
export type CheckName = z.infer<typeof checkName>;

/** PASS and FAIL: it was re-computed. SKIP: it applies and could not be decided now. NA: it does not apply. */
export const outcome = z.enum(['PASS', 'FAIL', 'SKIP', 'NA']);
export type Outcome = z.infer<typeof outcome>;

/** One check's result. There is no boolean over several of them anywhere. */
export const checkResult = z.strictObject({
  check: checkName,
  outcome,
  detail: z.string(),
  compared: z.strictObject({ expected: z.string(), actual: z.string() }).nullable(),
  does_not_prove: z.string(),
});
export type CheckResult = z.infer<typeof checkResult>;

/** What an outside party that vouches for a time is: an anchor of the policy, or a witness. */
export const voucherKind = z.enum(['anchor', 'witness']).meta(OPEN_VALUES);
const voucher = z.strictObject({ kind: voucherKind, name: z.string() });
export type Voucher = z.infer<typeof voucher>;

/**
 * The window in which a record came into the log. `stated` is the operator's word, as is everything else where nobody
 * vouches for a side. `after`: the last tree without the record that anchors or a quorum of witnesses attested: the
 * parties of `after_by`. `not_later_than`: the k-th smallest time of the confirmed time-stamps, k being how many
 * anchors are required.
 */
const sequenced = z.strictObject({
  stated: timestamp.nullable(),
  after: timestamp.nullable(),
  after_by: z.array(voucher),
  not_later_than: timestamp.nullable(),
  not_later_than_by: z.array(voucher),
});

/**
 * `GET …/ledger/verify`. All checks speak of the one `checkpoint`. There is no overall result: a record with a
 * discarded text and no anchor is neither simply good nor bad.
 */
export const verification = z.strictObject({
  answer_log_id: uuid,
  checks: z.array(checkResult),
  anchoring: z.enum(['ANCHORED', 'PENDING', 'NOT_ANCHORED']),
  checkpoint: z.strictObject({ origin: z.string(), tree_size: z.int(), root_hash: z.string() }).nullable(),
  status_as_of: z.strictObject({ tree_size: z.int(), at: timestamp }).nullable(),
  sequenced,
});
export type Verification = z.infer<typeof verification>;

/** One fault that a check of the whole ledger found. */
export const ledgerFinding = z.strictObject({
  check: z.string(),
  object: z.string(),
  leaf_index: z.int().nonnegative().nullable(),
  detail: z.string(),
});
export type LedgerFinding = z.infer<typeof ledgerFinding>;

/**
 * The log that a check went on from. `checked_at`: when the check ended that found no fault in it; `whole_at`: when a
 * check without a fault last began at leaf 0; `not_looked_at`: what this one did not look at again.
 */
const ledgerCheckSince = z.strictObject({
  tree_size: z.int().nonnegative(),
  root_hash: z.string(),
  checked_at: timestamp,
  whole_at: timestamp,
  not_looked_at: z.string(),
});

/** `POST /api/trust/ledger-checks`: what was re-derived, and every fault (at most 1,000 of them listed). */
export const ledgerCheckReport = z.strictObject({
  origin: z.string(),
  tree_size: z.int().nonnegative(),
  root_hash: z.string(),
  entries_checked: z.int().nonnegative(),
  outcome: z.enum(['PASS', 'FAIL']),
  findings_total: z.int().nonnegative(),
  findings: z.array(ledgerFinding),
  /** The originals of evidence that are stored, and how many of them were read whole. Left out: none was looked at. */
  originals: z.strictObject({ stored: z.int().nonnegative(), read: z.int().nonnegative() }).optional(),
  /** Where this check began, unless at leaf 0: a log in which an earlier check found no fault. */
  since: ledgerCheckSince.optional(),
  /** What it took from a check that was interrupted, or that another process makes at the same time. */
  taken_over: z.strictObject({ entries: z.int().nonnegative(), begun_at: timestamp }).optional(),
});
export type LedgerCheckReport = z.infer<typeof ledgerCheckReport>;

/**
 * How far a check of a ledger has come. First it walks all leaves of the log, then it goes through the rows that hang
 * on them, and through the originals of evidence; each time it is through `done` of `of` leaves, or of both.
 */
export const ledgerCheckProgress = z.strictObject({
  kind: z.literal('progress'),
  part: z.enum(['leaves', 'rows']),
  done: z.int().nonnegative(),
  of: z.int().nonnegative(),
});
export type LedgerCheckProgress = z.infer<typeof ledgerCheckProgress>;

/** One line of a check that is asked for in lines: how far it is, and in the last one what it found. */
export const ledgerCheckLine = z.discriminatedUnion('kind', [
  ledgerCheckProgress,
  z.strictObject({ kind: z.literal('report'), report: ledgerCheckReport }),
]);
