import type { TraceSignal, UnattachedReason } from '@answer-evidence/contracts';
import { bigint, bytea, integer, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

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
