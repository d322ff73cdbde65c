import type { IgnoredReason, TraceSignal, UnattachedReason } from '@answer-evidence/contracts';
import { bigint, boolean, bytea, integer, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** Accepted items of one OTLP request, sealed under a key of their own; the row is deleted once they are processed. */
export const OTLP_INBOX = table('otlp_inbox', {
  key: ['id'],
  columns: {
    id: uuid,
    received_at: bigint,
    item_count: integer,
    wrapped_key: bytea,
    items: bytea,
  },
});
export type OtlpInboxRow = RowOf<typeof OTLP_INBOX>;

/** An OTLP item that waits for its record, sealed under a key of its own; the row goes when it has waited. */
export const OTLP_WAITING = table('otlp_waiting', {
  key: ['id'],
  columns: {
    id: uuid,
    application_key: text,
    idempotency_key: text,
    /** Empty where the item names none. */
    trace_id: text,
    span_id: text,
    received_at: bigint,
    due_at: bigint,
    wrapped_key: bytea,
    item: bytea,
  },
});
export type OtlpWaitingRow = RowOf<typeof OTLP_WAITING>;

/** An OTLP item that belongs to no record. */
export const OTLP_UNATTACHED = table('otlp_unattached', {
  key: ['id'],
  columns: {
    id: uuid,
    application_key: text,
    environment: text,
    idempotency_key: text,
    signal: oneOf<TraceSignal>(),
    /** Empty where the item names none. */
    trace_id: text,
    span_id: text,
    reason: oneOf<UnattachedReason>(),
    record_id: nullable(uuid),
    received_at: bigint,
    unattached_at: bigint,
  },
});
export type OtlpUnattachedRow = RowOf<typeof OTLP_UNATTACHED>;

/** A call of a model that an unmarked item made a record of, known for a while: seen once more it makes none. */
export const OTLP_CALLS = table('otlp_calls', {
  key: ['call'],
  columns: {
    /** A MAC of the application, the id of the response, and both texts. */
    call: bytea,
    record_id: uuid,
    recorded_at: bigint,
  },
});

/** A trace of which something waits to be decided, or of which it is known for a while what was. */
export const OTLP_TRACES = table('otlp_traces', {
  key: ['application_key', 'trace_id'],
  columns: {
    application_key: text,
    trace_id: text,
    /** Something of it waits. */
    is_open: boolean,
    opened_at: bigint,
    /** When the newest item came. */
    received_at: bigint,
    /** When it is decided, or forgotten; 0 for at once. */
    due_at: bigint,
    size_bytes: bigint,
  },
});
export type OtlpTraceRow = RowOf<typeof OTLP_TRACES>;

/** What one request brought of such a trace, sealed under a key of its own. */
export const OTLP_TRACE_PARTS = table('otlp_trace_parts', {
  key: ['id'],
  columns: {
    id: uuid,
    application_key: text,
    trace_id: text,
    /** A MAC of the items as they came: the same ones again change nothing. */
    fingerprint: bytea,
    received_at: bigint,
    /** Some of its items wait; of the others only ids are left. */
    is_open: boolean,
    wrapped_key: bytea,
    items: bytea,
  },
});
export type OtlpTracePartRow = RowOf<typeof OTLP_TRACE_PARTS>;

/** The same as the next one, as the previous release writes it. Nothing reads it any more. */
export const OTLP_IGNORED_BEFORE = table('otlp_ignored', {
  key: ['id'],
  columns: {
    id: uuid,
    application_key: text,
    scope_name: text,
    reason: oneOf<IgnoredReason>(),
    item_count: bigint,
    first_seen_at: bigint,
    last_seen_at: bigint,
    trace_id: text,
    span_id: text,
    attribute_names: text,
  },
});

/** How many OTLP items of one application and instrumentation were left out for one reason, and the last of them. */
export const OTLP_IGNORED = table('otlp_left_out', {
  key: ['id'],
  columns: {
    id: uuid,
    application_key: text,
    scope_name: text,
    reason: oneOf<IgnoredReason>(),
    /** The sentence that says why items were refused, or what was left out of them; empty for the others. */
    detail: text,
    /** The token that sent them: each has a share of the rows. */
    sender: text,
    item_count: bigint,
    first_seen_at: bigint,
    last_seen_at: bigint,
    /** Empty where the item names none. */
    trace_id: text,
    span_id: text,
    /** JSON of an array of names. */
    attribute_names: text,
  },
});
export type OtlpIgnoredRow = RowOf<typeof OTLP_IGNORED>;

/** The same of one trace, with the spans. */
export const OTLP_FATES = table('otlp_fates', {
  key: ['id'],
  columns: {
    id: uuid,
    application_key: text,
    trace_id: text,
    scope_name: text,
    reason: oneOf<IgnoredReason>(),
    detail: text,
    sender: text,
    item_count: bigint,
    first_seen_at: bigint,
    last_seen_at: bigint,
    /** Ids of the first spans, each with a space behind it. */
    span_ids: text,
  },
});
export type OtlpFateRow = RowOf<typeof OTLP_FATES>;
