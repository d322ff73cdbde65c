import * as z from 'zod';
import { actor } from './actors.ts';
import { csvQuery } from './csv.ts';
import { erasure, lifecycleEvent } from './events.ts';
import { evidenceLink } from './evidence-links.ts';
import { atLeastOneOf, openObject } from './json.ts';
import { labelForms, mapLabels } from './labels.ts';
import { leafPosition, ledgerPosition } from './ledger-entries.ts';
import { pageOf } from './pages.ts';
import { anyUuid, commitmentHash, dateTime, externalId, key, sha256Hash, timestamp, uuid } from './primitives.ts';
import { problemCode, problemError } from './problems.ts';
import { traceRef } from './traces.ts';

/** Largest text of a question or an answer, in UTF-8 bytes. */
export const TEXT_BYTES_MAX = 256 * 1024;
/** Largest item of `semantic_refs` or `source_refs`, in UTF-8 bytes of its canonical form. */
export const REF_BYTES_MAX = 16 * 1024;
/** Most items of `semantic_refs`, of `source_refs` and of `evidence_access_event_ids`. */
export const REFS_MAX = 200;
/**
 * Deepest nesting of a ref or an event's payload. It leaves room for the objects around them in storage and in bundles,
 * whose readers stop at 64 levels.
 */
export const OPEN_OBJECT_DEPTH_MAX = 56;
/** Largest body of a create, in bytes. */
export const CREATE_BODY_BYTES_MAX = 1024 * 1024;

/** Text, a caller's commitment to it, or both. */
export const textOrHash = z
  .strictObject(
    { text: z.string().optional(), hash: sha256Hash.optional() },
    { error: ({ code }) => (code === 'invalid_type' ? 'must be an object such as {"text": "…"}' : undefined) },
  )
  .refine((value) => value.text !== undefined || value.hash !== undefined, 'must have text, hash or both')
  .meta(atLeastOneOf('text', 'hash'));
export type TextOrHash = z.infer<typeof textOrHash>;

/** The form of a caller's `source_ref_id`. */
export const SOURCE_REF_ID = /^[A-Za-z0-9._:-]{1,100}$/;

/** Body of `POST /api/answer-audit-logs`. */
export const createRecordRequest = z.strictObject({
  application_key: key,
  environment: key.optional(),
  idempotency_key: key.optional(),
  question: textOrHash,
  answer: textOrHash,
  semantic_refs: z.array(openObject).max(REFS_MAX, `must have at most ${REFS_MAX} items`).optional(),
  source_refs: z.array(openObject).max(REFS_MAX, `must have at most ${REFS_MAX} items`).optional(),
  evidence_access_event_ids: z.array(anyUuid).max(REFS_MAX, `must have at most ${REFS_MAX} items`).optional(),
  ...labelForms,
  retention_until: dateTime.optional(),
});
export type CreateRecordRequest = z.infer<typeof createRecordRequest>;

/** Most records of one request that records many. */
export const RECORDS_PER_REQUEST_MAX = 500;
/** Largest body of such a request, in bytes. */
export const CREATE_MANY_BODY_BYTES_MAX = 8 * 1024 * 1024;

/** Body of `POST /api/answer-audit-logs/batch`. Each record has a key: it makes a retry of the request safe. */
export const createRecordsRequest = z.strictObject({
  records: z
    .array(createRecordRequest.extend({ idempotency_key: key }))
    .min(1, 'must have at least 1 item')
    .max(RECORDS_PER_REQUEST_MAX, `must have at most ${RECORDS_PER_REQUEST_MAX} items`),
});
export type CreateRecordsRequest = z.infer<typeof createRecordsRequest>;

/** Every status of a record. */
export const RECORD_STATUSES = ['recorded', 'corrected', 'voided', 'redacted'] as const;
/** A record's status. */
export const recordStatus = z.enum(RECORD_STATUSES);
export type RecordStatus = z.infer<typeof recordStatus>;

/** What became of a text: at creation one of the first three, later also `redacted` or `expired`. */
export const textState = z.enum(['stored', 'discarded', 'not_submitted', 'redacted', 'expired']);

/** A commitment with what is left of its text. `hash_key_id` is null for plain SHA-256. */
export const committedText = z.strictObject({
  hash: commitmentHash,
  hash_key_id: z.string().nullable(),
  text: z.string().nullable(),
  text_state: textState,
});
export type CommittedText = z.infer<typeof committedText>;
/** A commitment as lists show it. */
export const commitmentSummary = committedText.omit({ text: true });

const recordFields = {
  id: uuid,
  application_key: z.string(),
  environment: z.string(),
  idempotency_key: z.string().nullable(),
  status: recordStatus,
  semantic_refs: z.array(openObject),
  source_refs: z.array(openObject),
  evidence_access_event_ids: z.array(uuid),
  ...mapLabels(() => z.string().nullable()),
  retention_until: timestamp,
  created_at: timestamp,
  created_by: actor,
  trace_refs: z.array(traceRef),
  record_hash: z.string(),
};

/** A record as lists show it: no texts, no events, no receipt. */
export const recordSummary = z.strictObject({
  ...recordFields,
  question: commitmentSummary,
  answer: commitmentSummary,
  ledger: leafPosition,
});
export type RecordSummary = z.infer<typeof recordSummary>;
/** `GET /api/answer-audit-logs`, newest first. */
export const recordList = pageOf(recordSummary);

/**
 * A whole record. `receipt` is a C2SP tlog-proof of its leaf. `erasure` describes the last redaction or expiry, null
 * before one. `events` is absent only if a create is replayed to a token that may not read.
 */
export const answerRecord = z.strictObject({
  ...recordFields,
  question: committedText,
  answer: committedText,
  erasure: erasure.nullable(),
  /** Evidence put beside it; it is no binding. */
  evidence_links: z.array(evidenceLink),
  ledger: ledgerPosition,
  receipt: z.string(),
  events: z.array(lifecycleEvent).optional(),
});
export type AnswerRecord = z.infer<typeof answerRecord>;

/** Query of `GET /api/answer-audit-logs` without paging; the export takes a part of it. */
export const recordFilters = z.strictObject({
  application_key: key.optional(),
  environment: key.optional(),
  status: recordStatus.optional(),
  created_after: dateTime.optional(),
  created_before: dateTime.optional(),
  external_trace_id: externalId.optional(),
  external_message_id: externalId.optional(),
  idempotency_key: key.optional(),
  mode: externalId.optional(),
  actor_id_hash: externalId.optional(),
  session_id_hash: externalId.optional(),
});
export type RecordFilters = z.infer<typeof recordFilters>;

/** Query of `GET /api/answer-audit-logs/export`; what `csvQuery` adds is for CSV alone. */
export const exportQuery = recordFilters
  .pick({ application_key: true, environment: true, created_after: true, created_before: true })
  .extend({ format: z.enum(['jsonl', 'csv']), ...csvQuery.shape, approval_id: anyUuid.optional() });

/** The filters that a column of the record must equal. */
export const RECORD_FILTER_COLUMNS = [
  'application_key',
  'environment',
  'external_trace_id',
  'external_message_id',
  'idempotency_key',
  'mode',
  'actor_id_hash',
  'session_id_hash',
] as const;

/** Which request a result is about. Earlier releases left it out. */
const resultOf = { application_key: z.string().exactOptional(), idempotency_key: z.string().exactOptional() };
/** What a text of a created record is committed to by. Earlier releases left it out. */
export const resultCommitment = committedText.pick({ hash: true, hash_key_id: true });

/** What became of one record of a request with many. Pointers of `errors` begin at the record. */
export const createdResult = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('created'),
    ...resultOf,
    id: uuid,
    leaf_index: z.int().min(0),
    record_hash: z.string(),
    question: resultCommitment.exactOptional(),
    answer: resultCommitment.exactOptional(),
  }),
  z.strictObject({ outcome: z.literal('replayed'), ...resultOf, id: uuid }),
  z.strictObject({
    outcome: z.literal('refused'),
    code: problemCode,
    detail: z.string(),
    errors: z.array(problemError),
  }),
]);
export type CreatedResult = z.infer<typeof createdResult>;
/** Response of `POST /api/answer-audit-logs/batch`: one result per record, in the order of the request. */
export const createdResults = z.strictObject({ results: z.array(createdResult) });
export type CreatedResults = z.infer<typeof createdResults>;
