import type { OtlpInboxRow, OtlpUnattachedRow, OtlpWaitingRow } from '@answer-evidence/contracts';
import type { Table } from '../append/insert-rows.ts';

/** Items that were accepted and are not worked off. */
export const INBOX: Table<OtlpInboxRow> = {
  name: 'otlp_inbox',
  columns: ['id', 'received_at', 'item_count', 'wrapped_key', 'items'],
};
/** Items that wait for their record. */
export const WAITING: Table<OtlpWaitingRow> = {
  name: 'otlp_waiting',
  columns: [
    'id',
    'application_key',
    'idempotency_key',
    'trace_id',
    'span_id',
    'received_at',
    'due_at',
    'wrapped_key',
    'item',
  ],
};
/** Items that belong to no record. */
export const UNATTACHED: Table<OtlpUnattachedRow> = {
  name: 'otlp_unattached',
  columns: [
    'id',
    'application_key',
    'environment',
    'idempotency_key',
    'signal',
    'trace_id',
    'span_id',
    'reason',
    'record_id',
    'received_at',
    'unattached_at',
  ],
};
