import type { AnsweredCounts, EventType } from '@answer-evidence/contracts';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import type { RecordMarks } from '@answer-evidence/ports';
import type { Query } from '../session.ts';

/** What became of records and what the newest completed comparison said of each; by their ids. */
export async function readMarks(
  query: Query,
  workspaceId: string,
  recordIds: readonly string[],
): Promise<ReadonlyMap<string, RecordMarks>> {
  const rows = await query<{ id: string; events: readonly EventType[] | null; has_findings: boolean | null }>(
    'record_marks',
    `select r.id, e.events, c.has_findings from unnest($2::uuid[]) as r (id)
       cross join lateral (select array_agg(distinct x.event_type) as events from answer_evidence.lifecycle_events x
         where x.workspace_id = $1 and x.record_id = r.id) e
       left join lateral (
         select exists (select from answer_evidence.reconciliation_findings f where f.workspace_id = $1
             and f.run_id = x.run_id and f.answer_log_id = r.id) as has_findings
           from answer_evidence.reconciliation_records x
           join answer_evidence.reconciliation_states s on s.workspace_id = $1 and s.run_id = x.run_id
             and s.status = 'completed'
           left join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = $1 and l.id = s.entry_id
           where x.workspace_id = $1 and x.record_id = r.id
           order by l.leaf_index desc nulls first limit 1) c on true`,
    [workspaceId, recordIds],
  );
  return new Map(
    rows.map(({ id, events, has_findings: hasFindings }) => [
      id,
      {
        events: new Set(events ?? []),
        reconciled: hasFindings === null ? undefined : hasFindings ? ('findings' as const) : ('matched' as const),
      },
    ]),
  );
}

/** Longest windows that are counted by day, week and month, in microseconds: never many more than a hundred parts. */
const WINDOWS = [
  ['day', 92],
  ['week', 730],
  ['month', 3_660],
] as const;
const CLAIMED = `workspace_id = $1 and ($2::bigint is null or answered_at >= $2)
  and ($3::bigint is null or answered_at < $3) and ($4::text[] is null or application_key = any($4))`;

/** Imported answers by the time that is claimed for them, in units that follow from how far these reach. */
export async function readAnswered(
  query: Query,
  workspaceId: string,
  of: {
    readonly after: number | undefined;
    readonly before: number | undefined;
    readonly applications: readonly string[] | null | undefined;
  },
): Promise<AnsweredCounts> {
  const values = [workspaceId, of.after ?? null, of.before ?? null, of.applications ?? null];
  const [span] = await query<{ first: number | null; last: number | null }>(
    'answered_span',
    `select min(answered_at) as first, max(answered_at) as last from answer_evidence.answered_claims where ${CLAIMED}`,
    values,
  );
  const days = ((span?.last ?? 0) - (span?.first ?? 0)) / MICROS_PER_DAY;
  const unit = WINDOWS.find(([, most]) => days <= most)?.[0] ?? 'year';
  const counts = await query<{ from: string; records: number }>(
    `answered_by_${unit}`,
    `select to_char(date_trunc('${unit}', to_timestamp(answered_at / 1000000) at time zone 'UTC'), 'YYYY-MM-DD') as from,
         count(*) as records
       from answer_evidence.answered_claims where ${CLAIMED} group by 1 order by 1`,
    values,
  );
  return { unit, counts: [...counts] };
}
