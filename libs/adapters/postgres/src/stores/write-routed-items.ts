import type { RoutedItems } from '@answer-evidence/ports';
import { OTLP_UNATTACHED, OTLP_WAITING } from '@answer-evidence/tables';
import { formatInserts } from '../append/insert-rows.ts';
import type { Query } from '../session.ts';

/** Stores what became of items: those that wait, those without a record, and no longer those that have one now. */
export async function writeRoutedItems(
  query: Query,
  workspaceId: string,
  { waiting, unattached, settled }: RoutedItems,
): Promise<void> {
  if (unattached.length > 0) {
    await query(
      'otlp_outdated',
      `delete from answer_evidence.otlp_unattached u
         using unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[])
           as s (application_key, idempotency_key, trace_id, span_id, reason, record_id)
         where u.workspace_id = $1 and u.application_key = s.application_key and u.idempotency_key = s.idempotency_key
           and u.trace_id = s.trace_id and u.span_id = s.span_id
           and (u.reason, u.record_id) is distinct from (s.reason, s.record_id)`,
      [
        workspaceId,
        unattached.map((row) => row.application_key),
        unattached.map((row) => row.idempotency_key),
        unattached.map((row) => row.trace_id),
        unattached.map((row) => row.span_id),
        unattached.map((row) => row.reason),
        unattached.map((row) => row.record_id),
      ],
    );
  }
  for (const { text, values } of [
    ...formatInserts(OTLP_WAITING, workspaceId, waiting),
    ...formatInserts(OTLP_UNATTACHED, workspaceId, unattached),
  ])
    await query('', `${text} on conflict do nothing`, values);
  if (settled.length === 0) return;
  await query(
    'otlp_settled',
    `delete from answer_evidence.otlp_unattached u
       using unnest($2::text[], $3::text[], $4::text[], $5::text[]) as s (application_key, idempotency_key, trace_id, span_id)
       where u.workspace_id = $1 and u.application_key = s.application_key and u.idempotency_key = s.idempotency_key
         and u.trace_id = s.trace_id and u.span_id = s.span_id`,
    [
      workspaceId,
      settled.map((place) => place.applicationKey),
      settled.map((place) => place.idempotencyKey),
      settled.map((place) => place.traceId),
      settled.map((place) => place.spanId),
    ],
  );
}
