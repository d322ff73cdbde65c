import type { TraceSignal } from './cores.ts';
import type { UnattachedReason } from './traces.ts';

/** What is stored of OTLP items on their way to records, row by row, as in `log-rows.ts`. */

/** Accepted items of one OTLP request, sealed under a key of their own; the row is deleted once they are processed. */
export type OtlpInboxRow = {
  readonly id: string;
  readonly received_at: number;
  readonly item_count: number;
  readonly wrapped_key: Uint8Array;
  readonly items: Uint8Array;
};

/** An OTLP item that waits for its record, sealed under a key of its own; the row goes when it has waited. */
export type OtlpWaitingRow = {
  readonly id: string;
  readonly application_key: string;
  readonly idempotency_key: string;
  /** Empty where the item names none. */
  readonly trace_id: string;
  readonly span_id: string;
  readonly received_at: number;
  readonly due_at: number;
  readonly wrapped_key: Uint8Array;
  readonly item: Uint8Array;
};

/** An OTLP item that belongs to no record. */
export type OtlpUnattachedRow = {
  readonly id: string;
  readonly application_key: string;
  readonly environment: string;
  readonly idempotency_key: string;
  readonly signal: TraceSignal;
  /** Empty where the item names none. */
  readonly trace_id: string;
  readonly span_id: string;
  readonly reason: UnattachedReason;
  readonly record_id: string | null;
  readonly received_at: number;
  readonly unattached_at: number;
};
