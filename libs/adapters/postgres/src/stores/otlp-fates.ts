import type pg from 'pg';
import type { FoundFates, OtlpStore } from '@answer-evidence/ports';
import { OTLP_FATES, OTLP_UNATTACHED, type OtlpFateRow, type OtlpUnattachedRow } from '@answer-evidence/tables';
import { select } from '../rows/rows.ts';
import { readWorkspace } from '../session.ts';

/** Most rows of each kind that one trace is shown with. */
const ROWS_MAX = 200;

/** What became of the items of a trace, from wherever that is kept. */
export function createFateStore(pool: pg.Pool): Pick<OtlpStore, 'findFates'> {
  return {
    findFates: (workspaceId, traceId, applications) =>
      readWorkspace(pool, workspaceId, async (query): Promise<FoundFates> => {
        const values = [workspaceId, traceId, applications ?? null];
        // Of these applications, or of all where none are named.
        const of = (table: string) => `($3::text[] is null or ${table}.application_key = any($3))`;
        const [records, attached, held, waiting, unattached, leftOut, pending] = await Promise.all([
          query<FoundFates['records'][number]>(
            'otlp_fate_records',
            `select r.id, r.application_key, coalesce(r.idempotency_key, '') as idempotency_key, l.at as created_at
               from answer_evidence.answer_records r
               join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.leaf_index = r.leaf_index
               where r.workspace_id = $1 and r.external_trace_id = $2 and ${of('r')}
               order by r.leaf_index limit ${ROWS_MAX}`,
            values,
          ),
          query<FoundFates['attached'][number]>(
            'otlp_fate_attached',
            `select t.record_id, r.application_key, t.span_id, l.at as attached_at
               from answer_evidence.trace_attachments t
               join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = t.record_id
               join answer_evidence.ledger_leaves l
                 on l.workspace_id = $1 and l.subject = t.record_id and l.id = t.id
               where t.workspace_id = $1 and t.trace_id = $2 and ${of('r')} order by l.at limit ${ROWS_MAX}`,
            values,
          ),
          query<FoundFates['held'][number]>(
            'otlp_fate_held',
            `select t.application_key, t.received_at from answer_evidence.otlp_traces t
               where t.workspace_id = $1 and t.trace_id = $2 and t.is_open and ${of('t')} limit ${ROWS_MAX}`,
            values,
          ),
          query<FoundFates['waiting'][number]>(
            'otlp_fate_waiting',
            `select w.application_key, w.span_id, w.received_at from answer_evidence.otlp_waiting w
               where w.workspace_id = $1 and w.trace_id = $2 and ${of('w')} limit ${ROWS_MAX}`,
            values,
          ),
          query<OtlpUnattachedRow>(
            'otlp_fate_unattached',
            `select ${select('u', OTLP_UNATTACHED)} from answer_evidence.otlp_unattached u
               where u.workspace_id = $1 and u.trace_id = $2 and ${of('u')} limit ${ROWS_MAX}`,
            values,
          ),
          query<OtlpFateRow>(
            'otlp_fate_left_out',
            `select ${select('f', OTLP_FATES)} from answer_evidence.otlp_fates f
               where f.workspace_id = $1 and f.trace_id = $2 and ${of('f')}
               order by f.last_seen_at limit ${ROWS_MAX}`,
            values,
          ),
          query<{ id: string }>(
            'otlp_fate_pending',
            'select i.id from answer_evidence.otlp_inbox i where i.workspace_id = $1 limit 1',
            [workspaceId],
          ),
        ]);
        return { records, attached, held, waiting, unattached, leftOut, isPending: pending.length > 0 };
      }),
  };
}
