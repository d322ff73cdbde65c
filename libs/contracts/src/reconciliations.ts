import * as z from 'zod';
import { actor } from './actors.ts';
import { commonCore } from './cores.ts';
import { anyCommitmentHash, commitmentHash, dateTime, externalId, key, timestamp, uuid } from './primitives.ts';

/** Most references of one run. */
export const REFERENCES_MAX = 10_000;
/** Longest window of one run, in seconds: seven days. */
export const RECONCILIATION_WINDOW_SECONDS_MAX = 7 * 86_400;
/** How late a record may be when the request does not say, in seconds. */
export const LATENESS_SECONDS_DEFAULT = 300;
/** Latest that a record may be allowed to be, in seconds: seven days. */
export const LATENESS_SECONDS_MAX = 7 * 86_400;
/** Largest body of a request for a run, in bytes. */
export const RECONCILIATION_BODY_BYTES_MAX = 8 * 1024 * 1024;

/** The fields of a record that references can name. */
export const MATCH_FIELDS = ['idempotency_key', 'external_message_id', 'external_trace_id'] as const;
/** The field of a record that references name. */
export const matchField = z.enum(MATCH_FIELDS);
export type MatchField = z.infer<typeof matchField>;

/** One answer that the caller says the application served. A hash may be of either kind. */
export const referenceRequest = z.strictObject({
  reference_id: externalId,
  occurred_at: dateTime,
  question_hash: anyCommitmentHash.optional(),
  answer_hash: anyCommitmentHash.optional(),
});
export type ReferenceRequest = z.infer<typeof referenceRequest>;

/** One line of the reference set, as JCS: every member, and its time in UTC. */
export const referenceLine = z.strictObject({
  reference_id: externalId,
  occurred_at: timestamp,
  question_hash: commitmentHash.nullable(),
  answer_hash: commitmentHash.nullable(),
});

/**
 * Body of `POST /api/reconciliations/runs`. The window holds its start and not its end; each reference lies in it. What
 * spans members (order of the window, its length, references inside of it) is judged after this schema.
 */
export const createRunRequest = z.strictObject({
  application_key: key,
  environment: key.optional(),
  window_start: dateTime,
  window_end: dateTime,
  match_on: matchField,
  max_lateness_seconds: z.int().min(0).max(LATENESS_SECONDS_MAX).optional(),
  references: z
    .array(referenceRequest)
    .min(1, 'must have at least 1 item')
    .max(REFERENCES_MAX, `must have at most ${REFERENCES_MAX} items`),
});
export type CreateRunRequest = z.input<typeof createRunRequest>;

/**
 * What a run counted. Every reference is accounted for once:
 * `references = matched + missing_service + repeated_references`; and every record of the record set:
 * `records = matched + hash_mismatches + duplicate_service + unexpected_service + named_earlier`.
 */
export const runCounts = z.strictObject({
  /** References as they were sent, repeated ones included. */
  references: z.int().nonnegative(),
  /** References whose `reference_id` an earlier one (by time) has already named. */
  repeated_references: z.int().nonnegative(),
  records: z.int().nonnegative(),
  /** Distinct references that have a record whose hashes do not differ. */
  matched: z.int().nonnegative(),
  /** Those of `matched` with a hash that could not be compared. */
  hashes_not_comparable: z.int().nonnegative(),
  /** Those of `missing_service` that have a record, with other hashes. */
  hash_mismatches: z.int().nonnegative(),
  /** Records of the window that only an earlier completed run names. */
  named_earlier: z.int().nonnegative(),
  missing_service: z.int().nonnegative(),
  unexpected_service: z.int().nonnegative(),
  late_service: z.int().nonnegative(),
  duplicate_reference: z.int().nonnegative(),
  duplicate_service: z.int().nonnegative(),
  unanchored_service: z.int().nonnegative(),
});
export type RunCounts = z.infer<typeof runCounts>;

/** A root in hex. */
export const hashOfSet = z.string().regex(/^[0-9a-f]{64}$/);

/** Root (RFC 9162) and size of a set of lines. */
export const lineSet = z.strictObject({ size: z.int().nonnegative(), root: hashOfSet });
export type LineSet = z.infer<typeof lineSet>;

/** The tree that a run speaks of: records up to it, and nothing after. */
export const runSnapshot = z.strictObject({
  tree_size: z.int().nonnegative(),
  root_hash: hashOfSet,
});
export type RunSnapshot = z.infer<typeof runSnapshot>;

const window = {
  application_key: z.string(),
  environment: z.string(),
  window_start: timestamp,
  window_end: timestamp,
  match_on: matchField,
  max_lateness_seconds: z.int().nonnegative(),
};

/** Core of `reconciliation_completed`: what was asked, over which tree, and the results as roots and counts. */
export const reconciliationCore = z.strictObject({
  ...commonCore,
  run_id: uuid,
  ...window,
  requested_by: actor,
  requested_at: timestamp,
  /** When it was decided, by the service's clock; what is provisional is so as of this time. */
  decided_at: timestamp,
  snapshot: runSnapshot,
  /** Leaves below this size were under an anchored checkpoint; null when the policy asked for no anchor. */
  anchored_tree_size: z.int().nonnegative().nullable(),
  references: lineSet,
  records: lineSet,
  findings: lineSet,
  counts: runCounts,
});
export type ReconciliationCore = z.infer<typeof reconciliationCore>;

/** How far a run has come. */
export const runStatus = z.enum(['queued', 'running', 'completed', 'failed']);

/** A run. What is not known before its completion is null until then; `failure` is there only when it has failed. */
export const reconciliationRun = z.strictObject({
  id: uuid,
  status: runStatus,
  progress: z.int().min(0).max(100),
  ...window,
  references: z.int().positive(),
  created_at: timestamp,
  created_by: actor,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  /** Window end and lateness, when that was still ahead as the run was decided: what is missing may come until then. */
  lateness_open_until: timestamp.nullable(),
  counts: runCounts.nullable(),
  checkpoint: runSnapshot.extend({ origin: z.string() }).nullable(),
  failure: z.strictObject({ code: z.string(), detail: z.string() }).nullable(),
});
export type ReconciliationRun = z.infer<typeof reconciliationRun>;
