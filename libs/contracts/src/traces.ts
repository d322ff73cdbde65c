import * as z from 'zod';
import { actor } from './actors.ts';
import { traceCommitments, traceSignal } from './cores.ts';
import { ledgerPosition } from './ledger-entries.ts';
import { otlpRulesRequest } from './otlp-rules.ts';
import { pageOf, pageQuery } from './pages.ts';
import { key, OPEN_VALUES, spanId, timestamp, traceId, uuid } from './primitives.ts';
import { atMost } from './text-length.ts';

/** A trace attached to a record. It proves only that the service bound the trace to the record. */
export const traceRef = z.strictObject({
  id: uuid,
  signal: traceSignal,
  trace_id: traceId,
  span_id: spanId.nullable(),
  started_at: timestamp.nullable(),
  commitments: traceCommitments,
  attached_by: actor,
  attached_at: timestamp,
  ledger: ledgerPosition.omit({ origin: true }),
});
export type TraceRef = z.infer<typeof traceRef>;

/**
 * Why a trace that was accepted is not attached. `record_not_found`: no record with its key came while it waited.
 * `commitment_mismatch`: the record with its key states another question or answer. `given_up`: the work on it failed
 * until its texts were let go.
 */
export const UNATTACHED_REASONS = ['record_not_found', 'commitment_mismatch', 'given_up'] as const;
/** Why a trace that was accepted is not attached. */
export const unattachedReason = z.enum(UNATTACHED_REASONS).meta(OPEN_VALUES);
export type UnattachedReason = z.infer<typeof unattachedReason>;

/** Reasons that rules of the workspace give. */
export const RULE_REASONS = ['excluded_by_rule', 'not_included_by_rule', 'not_marked_by_rule'] as const;
export type RuleReason = (typeof RULE_REASONS)[number];

/**
 * Why an item was accepted and left no record. `unrelated`: it has nothing of the conventions for generative AI.
 * `unknown_convention`: so has it, and its scope or one of its names says that it is of a model.
 * `no_contents`: it describes a call of a model or an agent, and no texts were captured. `no_answer`: it has a question
 * only. `other_operation`: a tool, a retrieval, an embedding or the like. `unread_state`: JSON of a framework in which
 * no rule names a text. `failed`: a run that ended with an error, such as one whose answer a guardrail refused, or what
 * is below it. `not_marked`: its resource says that only marked items are answers. Three are of rules of the workspace:
 * one excludes it, none includes it, or only marked items are answers by them. `refused`: it cannot be stored, for the
 * reason in `detail`. `attribute_ignored`: it did leave a record, without an optional attribute that is invalid.
 */
export const IGNORED_REASONS = [
  'unrelated',
  'unknown_convention',
  'no_contents',
  'no_answer',
  'other_operation',
  'unread_state',
  'failed',
  'not_marked',
  ...RULE_REASONS,
  'refused',
  'attribute_ignored',
] as const;
/** Why an item was accepted and left no record. */
export const ignoredReason = z.enum(IGNORED_REASONS).meta(OPEN_VALUES);
export type IgnoredReason = z.infer<typeof ignoredReason>;

/** How many items of one application and instrumentation were ignored for one reason, and the last of them. */
export const ignoredItems = z.strictObject({
  id: uuid,
  /** Empty where the items name none, and for what there was no room to count by itself. */
  application_key: z.string(),
  /** The instrumentation scope; empty where the items name none, too. */
  scope_name: z.string(),
  reason: ignoredReason,
  /** Why items were refused, or which attribute was left out: a sentence without any value. */
  detail: z.string().nullable(),
  item_count: z.int(),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  /** The trace and span of the last item, and the names of the attributes of one of the last, without any value. */
  last_trace_id: traceId.nullable(),
  last_span_id: spanId.nullable(),
  last_attribute_names: z.array(z.string()),
  /** Those of them that the mapping has rules for. */
  last_read_names: z.array(z.string()),
});
export type IgnoredItems = z.infer<typeof ignoredItems>;

/** `GET /api/answer-audit-logs/otel/ignored`, last seen first. */
export const ignoredItemList = pageOf(ignoredItems);

/**
 * What became of items. `record`: one was made of it. `attached`: it was attached to one. `held`: it waits for the rest
 * of its trace. `waiting`: it waits for the record with its key. `unattached`: none came. `refused`, `ignored`: it left
 * no record. `warned`: a record was made of it, without an optional attribute.
 */
export const traceFate = z
  .enum(['record', 'attached', 'held', 'waiting', 'unattached', 'refused', 'ignored', 'warned'])
  .meta(OPEN_VALUES);

/** What became of some items of a trace that have it in common. */
export const traceFateLine = z.strictObject({
  application_key: z.string(),
  fate: traceFate,
  /** Why they were ignored or are not attached. */
  reason: z.string().nullable(),
  /** Why they were refused or have no question, or which attribute was left out: a sentence without any value. */
  detail: z.string().nullable(),
  scope_name: z.string().nullable(),
  /** The spans, as far as they are known: the first 100. */
  span_ids: z.array(spanId),
  /** Null where it is not known. */
  item_count: z.int().nullable(),
  /** The record that was made of them, that they are attached to, or that they did not match. */
  answer_log_id: uuid.nullable(),
  idempotency_key: z.string().nullable(),
  /** When it was decided, or last received. */
  at: timestamp,
});
export type TraceFateLine = z.infer<typeof traceFateLine>;

/** What became of the items of a trace that no line names. */
export const traceOthers = z.enum(['part', 'pending', 'unknown']).meta(OPEN_VALUES);

/** `GET /api/answer-audit-logs/otel/traces/{trace_id}`. */
export const traceFates = z.strictObject({
  trace_id: traceId,
  lines: z.array(traceFateLine),
  /**
   * What became of items of the trace that no line names. `part`: they are part of an answer above, or stand beside it.
   * `pending`: they may not be processed yet. `unknown`: none came, or more than 30 days ago.
   */
  others: traceOthers,
});
export type TraceFates = z.infer<typeof traceFates>;

/** Which ignored items a list is about. */
export const ignoredFilters = z.strictObject({
  application_key: key.optional(),
  scope_name: z.string().check(atMost(200)).optional(),
  reason: z.enum(IGNORED_REASONS).optional(),
});
export type IgnoredFilters = z.infer<typeof ignoredFilters>;
/** Query of `GET /api/answer-audit-logs/otel/ignored`. */
export const ignoredQuery = z.strictObject({ ...ignoredFilters.shape, ...pageQuery.shape });

/**
 * What a span or log record would be. `answer`: a record, or a trace of one. `part`: it would add to an answer, or is a
 * step on the way to one. `refused`: by a partial success. `ignored`: none of these.
 */
export const explainedOutcome = z.enum(['answer', 'part', 'refused', 'ignored']).meta(OPEN_VALUES);

/** What would become of an item, and what of it is read. Names of attributes only. */
export const explainedItem = z.strictObject({
  /** The position in the request. */
  index: z.int(),
  trace_id: traceId.nullable(),
  span_id: spanId.nullable(),
  scope_name: z.string(),
  outcome: explainedOutcome,
  /** Why it is ignored. */
  reason: ignoredReason.nullable(),
  /** Why it is refused, which rule of the workspace ignores it, or what an answer lacks to become a record. */
  detail: z.string().nullable(),
  read: z.array(z.string()),
  not_read: z.array(z.string()),
});
export type ExplainedItem = z.infer<typeof explainedItem>;

/** Body of `POST /api/answer-audit-logs/otel/explain/rules`: the body of a request of an exporter, and rules to try. */
export const explainRulesRequest = z.strictObject({
  request_base64: z.string().meta({ contentEncoding: 'base64' }),
  content_type: z.enum(['application/x-protobuf', 'application/json']),
  rules: otlpRulesRequest,
});
export type ExplainRulesRequest = z.input<typeof explainRulesRequest>;

/** The response of `POST /api/answer-audit-logs/otel/explain`: the first 1,000 items. */
export const otlpExplanation = z.strictObject({
  mapping_version: z.int(),
  signal: z.enum(['traces', 'logs']),
  item_count: z.int(),
  items: z.array(explainedItem),
});
export type OtlpExplanation = z.infer<typeof otlpExplanation>;

/** An accepted trace without a record. `answer_log_id` names the record that it did not match, where there is one. */
export const unattachedTrace = z.strictObject({
  id: uuid,
  application_key: z.string(),
  environment: z.string(),
  idempotency_key: z.string(),
  signal: traceSignal,
  trace_id: traceId.nullable(),
  span_id: spanId.nullable(),
  reason: unattachedReason,
  answer_log_id: uuid.nullable(),
  received_at: timestamp,
  unattached_at: timestamp,
});
export type UnattachedTrace = z.infer<typeof unattachedTrace>;

/** `GET /api/answer-audit-logs/otel/unattached`, newest first. */
export const unattachedTraceList = pageOf(unattachedTrace);

/** Which unattached traces a list is about. */
export const unattachedFilters = z.strictObject({
  application_key: key.optional(),
  environment: key.optional(),
  idempotency_key: key.optional(),
  trace_id: traceId.optional(),
  reason: z.enum(UNATTACHED_REASONS).optional(),
});
export type UnattachedFilters = z.infer<typeof unattachedFilters>;
/** Query of `GET /api/answer-audit-logs/otel/unattached`. */
export const unattachedQuery = z.strictObject({ ...unattachedFilters.shape, ...pageQuery.shape });
