import * as z from 'zod';
import { bundleAttachment, logKey } from './bundles.ts';
import { recordCore } from './cores.ts';
import { uuid } from './primitives.ts';
import { hashOfSet, reconciliationCore } from './reconciliations.ts';
import { recordStatus } from './records.ts';
import { bundleAnchor, shownTrustPolicy } from './trust.ts';
import { outcome } from './verification.ts';

/**
 * The result of opening the text of a keyed commitment for a reference that has a SHA-256: whether it was opened, and
 * the reference's hash if it equals that. Any other SHA-256 of a text is never written: for a text that nobody listed
 * it would defeat the keyed hashing.
 */
export const openedText = z.strictObject({
  opened: z.boolean(),
  equals: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullable(),
});
export type OpenedText = z.infer<typeof openedText>;

/**
 * One line of the record set, as JCS: everything about one record that the decision read. `entry` and `core` are in the
 * log; the other members are only the service's claim as of the run's snapshot.
 */
export const recordSetLine = z.strictObject({
  leaf_index: z.int().nonnegative(),
  /** The exact text of the leaf; its `at` is when the record was created. */
  entry: z.string(),
  core: recordCore,
  status: recordStatus,
  question: openedText,
  answer: openedText,
  /** The first completed run whose references name it, where none of this run does; else null. */
  named_earlier: uuid.nullable(),
});
export type RecordSetLine = z.infer<typeof recordSetLine>;

/** `GET /api/reconciliations/runs/{run_id}/proof`: what a verifier needs besides references and records; no verdict. */
export const reconciliationProof = z.strictObject({
  format: z.literal('answer-evidence-reconciliation/v1'),
  origin: z.string(),
  workspace_id: uuid,
  /** The `reconciliation_completed` entry with its core and its receipt to `checkpoint`. */
  run: z.strictObject({ ...bundleAttachment.shape, core: reconciliationCore }),
  /** Signed note over the run, its roots and its snapshot, by the keys that sign the checkpoint. */
  note: z.string(),
  /** Consistency proof from the snapshot to the checkpoint, hex. */
  consistency: z.array(hashOfSet),
  /** The signed checkpoint that the receipt leads to, with any cosignatures. */
  checkpoint: z.string(),
  /** Artefacts of anchors over that very checkpoint. */
  anchors: z.array(bundleAnchor),
  log_keys: z.array(logKey),
  /** The trust policy in force, for the reader; what a verifier demands is in its trust file. */
  policy: shownTrustPolicy.nullable(),
});
export type ReconciliationProof = z.infer<typeof reconciliationProof>;

/** Every check of a run's proof, in the order in which results are listed. */
export const RECONCILIATION_CHECKS = [
  'references',
  'records',
  'record_leaves',
  'earlier_runs',
  'findings',
  'counts',
  'statement',
  'leaf_entry',
  'log_order',
  'merkle_inclusion',
  'checkpoint_signature',
  'checkpoint_consistency',
  'witness_cosignatures',
  'external_anchor',
  'anchored',
] as const;
/** The name of a check of a run's proof. */
export type ReconciliationCheckName = (typeof RECONCILIATION_CHECKS)[number];

/** One check's result; see `checkResult`. */
export const reconciliationCheckResult = z.strictObject({
  check: z.enum(RECONCILIATION_CHECKS),
  outcome,
  detail: z.string(),
  compared: z.strictObject({ expected: z.string(), actual: z.string() }).nullable(),
  does_not_prove: z.string(),
});
export type ReconciliationCheckResult = z.infer<typeof reconciliationCheckResult>;
