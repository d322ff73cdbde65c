import * as z from 'zod';
import { pageOf } from './pages.ts';
import { commitmentHash, timestamp, uuid } from './primitives.ts';
import { recordStatus } from './records.ts';

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
export type FindingType = z.infer<typeof findingType>;

/** Whether two hashes are of one answer. `not_given`: no hash given. `not_comparable`: two kinds and no text. */
export const hashComparison = z.enum(['same', 'different', 'not_comparable', 'not_given']);
export type HashComparison = z.infer<typeof hashComparison>;

/** The hashes of a question and its answer. */
export const hashPair = z.strictObject({ question: commitmentHash.nullable(), answer: commitmentHash.nullable() });
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
      referenced: hashPair,
      recorded: hashPair,
    }),
  ]),
  /** `match_value`: the record's value of the match field, or null. `provisional`: the window was still open. */
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

/** A reference without a record. */
export const missingServiceFinding = findingOf('missing_service', externalIdText(), uuid.nullable());
/** A record that no reference names. */
export const unexpectedServiceFinding = findingOf('unexpected_service', z.null(), uuid);
/** A record that came too late. */
export const lateServiceFinding = findingOf('late_service', externalIdText(), uuid);
/** A reference that was sent more than once. */
export const duplicateReferenceFinding = findingOf('duplicate_reference', externalIdText(), z.null());
/** One more record of a reference. */
export const duplicateServiceFinding = findingOf('duplicate_service', externalIdText(), uuid);
/** A record that is under no anchor. */
export const unanchoredServiceFinding = findingOf('unanchored_service', externalIdText(), uuid);

/** One finding. `reference_id` is null for a record that nobody named, `answer_log_id` where there is no record. */
export const reconciliationFinding = z.discriminatedUnion('type', [
  missingServiceFinding,
  unexpectedServiceFinding,
  lateServiceFinding,
  duplicateReferenceFinding,
  duplicateServiceFinding,
  unanchoredServiceFinding,
]);
export type ReconciliationFinding = z.infer<typeof reconciliationFinding>;

/** Which run a response is about. Earlier releases left it out. */
export const ofRun = { run_id: uuid.exactOptional() };

/** `GET /api/reconciliations/runs/{run_id}/findings`, in the order of the findings' root. */
export const reconciliationFindingList = pageOf(reconciliationFinding).extend(ofRun);

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
