import { z } from 'zod';
import { bundleAttachment, logKey } from './bundles.ts';
import { commonCore, recordCore } from './cores.ts';
import { actor } from './actors.ts';
import { pageOf } from './pages.ts';
import { commitmentHash, dateTime, externalId, key, timestamp, uuid } from './primitives.ts';
import { recordStatus } from './records.ts';
import { bundleAnchor, trustPolicy } from './trust.ts';
import { outcome } from './verification.ts';

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
/** The field of a record that references name. */
export type MatchField = z.infer<typeof matchField>;

/** Every type of finding, in the order in which findings are listed. */
export const FINDING_TYPES = [
  'missing_service',
  'unexpected_service',
  'late_service',
  'duplicate_reference',
  'duplicate_service',
  'unanchored_service',
] as const;
/** What a finding says. */
export const findingType = z.enum(FINDING_TYPES);
/** What a finding says. */
export type FindingType = z.infer<typeof findingType>;

/** One answer that the caller says the application served. A hash may be of either kind. */
export const referenceRequest = z.strictObject({
  reference_id: externalId,
  occurred_at: dateTime,
  question_hash: commitmentHash.optional(),
  answer_hash: commitmentHash.optional(),
});
/** One answer that the caller says the application served. */
export type ReferenceRequest = z.infer<typeof referenceRequest>;

/** One line of the reference set, as JCS: every member, and its time in UTC. */
export const referenceLine = z.strictObject({
  reference_id: externalId,
  occurred_at: timestamp,
  question_hash: commitmentHash.nullable(),
  answer_hash: commitmentHash.nullable(),
});

/**
 * Body of `POST /api/reconciliations/runs`. The window holds its start and not its end; each reference lies in it. What spans
 * members (order of the window, its length, references inside of it) is judged after this schema.
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
/** Body of `POST /api/reconciliations/runs`. */
export type CreateRunRequest = z.input<typeof createRunRequest>;

/**
 * What a run counted. Every reference is accounted for once: `references = matched + missing_service + repeated_references`; and every record
 * of the record set: `records = matched + hash_mismatches + duplicate_service + unexpected_service + named_earlier`.
 */
export const runCounts = z.strictObject({
  /** References as they were sent, repeated ones included. */
  references: z.int().nonnegative(),
  /** References whose `reference_id` an earlier one (by time) has already named. */
  repeated_references: z.int().nonnegative(),
  /** Records of the record set. */
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
/** What a run counted. */
export type RunCounts = z.infer<typeof runCounts>;

const hashOfSet = z.string().regex(/^[0-9a-f]{64}$/);

/** Root (RFC 9162) and size of a set of lines. */
export const lineSet = z.strictObject({ size: z.int().nonnegative(), root: hashOfSet });
/** Root (RFC 9162) and size of a set of lines. */
export type LineSet = z.infer<typeof lineSet>;

/** The tree that a run speaks of: records up to it, and nothing after. */
export const runSnapshot = z.strictObject({
  tree_size: z.int().nonnegative(),
  root_hash: hashOfSet,
});
/** The tree that a run speaks of. */
export type RunSnapshot = z.infer<typeof runSnapshot>;

const window = {
  application_key: z.string(),
  environment: z.string(),
  window_start: timestamp,
  window_end: timestamp,
  match_on: matchField,
  max_lateness_seconds: z.int().nonnegative(),
};

/**
 * Core of `reconciliation_completed`: what was asked, over which tree it was decided, and what came out, as roots and
 * counts.
 */
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
/** Core of `reconciliation_completed`. */
export type ReconciliationCore = z.infer<typeof reconciliationCore>;

/** How far a run has come. */
export const runStatus = z.enum(['queued', 'running', 'completed', 'failed']);
/** How far a run has come. */
export type RunStatus = z.infer<typeof runStatus>;

/** A run. What is not known before its completion is null until then; `failure` is there only when it has failed. */
export const reconciliationRun = z.strictObject({
  id: uuid,
  status: runStatus,
  /** From 0 to 100. */
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
/** A run. */
export type ReconciliationRun = z.infer<typeof reconciliationRun>;

/** `GET /api/reconciliations/runs`, newest first. */
export const reconciliationRunList = pageOf(reconciliationRun);

/** Whether two hashes are of one answer. `not_given`: the reference names none. `not_comparable`: of two kinds, and no text to hash. */
export const hashComparison = z.enum(['same', 'different', 'not_comparable', 'not_given']);
/** Whether two hashes are of one answer. */
export type HashComparison = z.infer<typeof hashComparison>;

const hashesOf = z.strictObject({ question: commitmentHash.nullable(), answer: commitmentHash.nullable() });
const recordFacts = { created_at: timestamp, record_status: recordStatus };

/** What a person needs to act on a finding, by its type. No member holds text of a question or an answer. */
export const findingDetails = {
  /** `provisional`: a record may still come in time. */
  missing_service: z.discriminatedUnion('reason', [
    z.strictObject({ reason: z.literal('no_record'), occurred_at: timestamp, provisional: z.boolean() }),
    z.strictObject({
      reason: z.literal('hash_mismatch'),
      occurred_at: timestamp,
      ...recordFacts,
      /** Which differ. */
      fields: z.array(z.enum(['question', 'answer'])).min(1),
      referenced: hashesOf,
      recorded: hashesOf,
    }),
  ]),
  /** `match_value`: the field that references name, null when the record has none. `provisional`: the window was still open. */
  unexpected_service: z.strictObject({
    match_value: z.string().nullable(),
    ...recordFacts,
    provisional: z.boolean(),
  }),
  /** `late_by_seconds` is what is above the limit, rounded up. */
  late_service: z.strictObject({
    occurred_at: timestamp,
    ...recordFacts,
    max_lateness_seconds: z.int().nonnegative(),
    late_by_seconds: z.int().positive(),
  }),
  /** `occurred_at`: at most ten of its times, ascending. `differ`: the repetitions are not all the same. */
  duplicate_reference: z.strictObject({
    times: z.int().min(2),
    occurred_at: z.array(timestamp).min(1),
    differ: z.boolean(),
  }),
  /** One finding for each record beyond the one that the reference was matched with, `first_answer_log_id`. */
  duplicate_service: z.strictObject({
    first_answer_log_id: uuid,
    ...recordFacts,
    question: hashComparison,
    answer: hashComparison,
  }),
  unanchored_service: z.strictObject({
    ...recordFacts,
    leaf_index: z.int().nonnegative(),
    anchored_tree_size: z.int().nonnegative(),
  }),
} as const;

/** One finding. `reference_id` is null for a record that nobody named, `answer_log_id` where there is no record. */
export const reconciliationFinding = z.discriminatedUnion('type', [
  findingOf('missing_service', externalIdText(), uuid.nullable()),
  findingOf('unexpected_service', z.null(), uuid),
  findingOf('late_service', externalIdText(), uuid),
  findingOf('duplicate_reference', externalIdText(), z.null()),
  findingOf('duplicate_service', externalIdText(), uuid),
  findingOf('unanchored_service', externalIdText(), uuid),
]);
/** One finding. */
export type ReconciliationFinding = z.infer<typeof reconciliationFinding>;

/** `GET /api/reconciliations/runs/{run_id}/findings`, in the order of the findings' root. */
export const reconciliationFindingList = pageOf(reconciliationFinding);

/**
 * What could be learnt of a keyed commitment by opening its text for a reference that has a SHA-256: whether it was opened, and the hash of
 * the reference that it equals. Another SHA-256 of a text is never written.
 */
export const openedText = z.strictObject({
  opened: z.boolean(),
  equals: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullable(),
});
/** What could be learnt of a keyed commitment by opening its text. */
export type OpenedText = z.infer<typeof openedText>;

/**
 * One line of the record set, as JCS: everything about one record that the decision read. `entry` and `core` stand in the log;
 * the other members are the service's word as of the run's snapshot.
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
/** One line of the record set. */
export type RecordSetLine = z.infer<typeof recordSetLine>;

/**
 * `GET /api/reconciliations/runs/{run_id}/proof`: what a verifier needs besides the caller's own references and the record set, and no
 * verdict. Everything in it is re-computed or compared with the verifier's trust file.
 */
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
  policy: trustPolicy.nullable(),
});
/** What a verifier of a run needs. */
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
/** One check's result. */
export type ReconciliationCheckResult = z.infer<typeof reconciliationCheckResult>;

function externalIdText() {
  return z.string().min(1);
}

function findingOf<T extends FindingType, R extends z.ZodType, A extends z.ZodType>(type: T, reference: R, record: A) {
  return z.strictObject({
    type: z.literal(type),
    reference_id: reference,
    answer_log_id: record,
    detail: findingDetails[type],
  });
}
