import type { CountedAnswers, CountedDays, OpenFindings, OverdueFindings } from '@answer-evidence/ports';
import type { Query } from '../session.ts';

/** The first day of the day, week or month of a day. 1970 began on a Thursday. */
const FIRST_DAY: Readonly<Record<CountedDays['unit'], string>> = {
  day: 'day',
  week: 'day - (day + 3) % 7',
  month: `(date_trunc('month', date '1970-01-01' + day)::date - date '1970-01-01')`,
};

/** The counts of days, from tables of counts alone. */
export function readCounts(query: Query, workspaceId: string, days: CountedDays): Promise<readonly CountedAnswers[]> {
  const asked = `workspace_id = $1 and day >= $2 and day < $3 and ($4::text[] is null or application_key = any($4))`;
  return query<CountedAnswers>(
    `overview_by_${days.unit}`,
    `with shown as materialized (
       select ${FIRST_DAY[days.unit]} as day, application_key, sum(recorded) as recorded, sum(corrected) as corrected,
           sum(voided) as voided, sum(redacted) as redacted, sum(listed) as listed, sum(missing) as missing,
           sum(readings) as readings
         from (
           select day, application_key, recorded, corrected, voided, redacted, 0 as listed, 0 as missing, readings
             from answer_evidence.daily_counts where ${asked}
           union all
           select day, application_key, 0, 0, 0, 0, listed, missing, 0
             from answer_evidence.counted_lists where ${asked}) a
         group by 1, 2),
     largest as (
       select application_key from shown group by application_key
         order by sum(recorded + listed) desc, application_key limit $5)
     select s.day, l.application_key, sum(s.recorded)::bigint as recorded, sum(s.corrected)::bigint as corrected,
         sum(s.voided)::bigint as voided, sum(s.redacted)::bigint as redacted, sum(s.listed)::bigint as listed,
         sum(s.missing)::bigint as missing, sum(s.readings)::bigint as readings
       from shown s left join largest l on l.application_key = s.application_key
       group by s.day, l.application_key order by s.day, l.application_key nulls last`,
    [workspaceId, days.from, days.to, days.applications ?? null, days.applicationsMax],
  );
}

/** Runs that are looked at for findings which nobody has resolved: the newest that found any. */
const RUNS_MAX = 500;

/** What nobody has resolved of the findings of counted runs, by application. */
export function readOpenFindings(query: Query, workspaceId: string): Promise<readonly OpenFindings[]> {
  return query<OpenFindings>(
    'overview_open_findings',
    `with newest as materialized (
       select run_id, application_key, findings, missing, oldest_missing_at from answer_evidence.counted_runs
         where workspace_id = $1 and findings > 0 order by run_id desc limit ${RUNS_MAX}),
     worked as materialized (
       select n.*, coalesce(t.missing_resolved, 0) as missing_resolved, coalesce(t.others_taken, 0) as others_taken
         from newest n cross join lateral (
           select count(*) filter (where s.is_missing and s.state = 'resolved') as missing_resolved,
               count(*) filter (where not s.is_missing and (s.state = 'resolved' or s.assignee_id is not null))
                 as others_taken
             from (
               select distinct on (x.position) x.state, x.assignee_id,
                   (f.type = 'missing_service' and f.answer_log_id is null) as is_missing
                 from answer_evidence.triage_steps x
                 cross join lateral (select g.type, g.answer_log_id from answer_evidence.reconciliation_findings g
                   where g.workspace_id = $1 and g.run_id = x.run_id and g.position = x.position offset 0) f
                 where x.workspace_id = $1 and x.run_id = n.run_id
                 order by x.position, x.version desc) s) t)
     select application_key, (array_agg(run_id order by missing > missing_resolved desc, run_id desc))[1] as run_id,
         sum(missing - missing_resolved)::bigint as missing,
         min(oldest_missing_at) filter (where missing > missing_resolved) as oldest_missing_at,
         sum(findings - missing - others_taken)::bigint as unassigned
       from worked where missing > missing_resolved or findings - missing > others_taken
       group by application_key order by missing desc, application_key limit 100`,
    [workspaceId],
  );
}

/** Times at which findings of one run were due: so many, the earliest. */
const OVERDUE_MAX = 1_000;

/** What is open of the findings of these runs, and was due before now. */
export function readOverdueFindings(
  query: Query,
  workspaceId: string,
  nowMicros: number,
): Promise<readonly OverdueFindings[]> {
  return query<OverdueFindings>(
    'overview_overdue_findings',
    `select n.run_id, n.application_key, s.due_at, count(*) as findings
       from (select run_id, application_key from answer_evidence.counted_runs
         where workspace_id = $1 and findings > 0 order by run_id desc limit ${RUNS_MAX}) n
       join answer_evidence.triage_steps s on s.workspace_id = $1 and s.run_id = n.run_id
         and s.state = 'open' and s.due_at < $2
       where not exists (select from answer_evidence.triage_steps x
         where x.workspace_id = $1 and x.run_id = s.run_id and x.position = s.position and x.version > s.version)
       group by n.run_id, n.application_key, s.due_at order by s.due_at, n.run_id limit ${OVERDUE_MAX}`,
    [workspaceId, nowMicros],
  );
}
