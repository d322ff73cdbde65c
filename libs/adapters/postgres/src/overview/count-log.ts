import type pg from 'pg';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import { type Query, writeWorkspace } from '../session.ts';

/** Leaves of one transaction: some tenths of a second on a busy machine. */
const LEAVES_MAX = 5_000;

const dayOf = (at: string) => `(${at} / ${MICROS_PER_DAY})::integer`;
const recordOf = (id: string) => `lateral (select x.application_key from answer_evidence.answer_records x
  where x.workspace_id = $1 and x.id = ${id} offset 0) r`;

/**
 * What the leaves add to the counts. A record counts on its own day whatever becomes of it later, and once for each
 * thing that does. Look-ups are fenced, so that each is by key whatever the planner knows.
 */
const ADD_DAYS = `
  with leaves as materialized (
    select l.leaf_index, l.type, l.id, l.subject, l.at from answer_evidence.ledger_leaves l
      where l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3
        and l.type in ('answer_recorded', 'lifecycle_event', 'texts_revealed')),
  added as (
    select ${dayOf('l.at')} as day, r.application_key, 1 as recorded, 0 as corrected, 0 as voided, 0 as redacted,
        0 as readings
      from leaves l cross join ${recordOf('l.id')} where l.type = 'answer_recorded'
    union all
    select ${dayOf('o.at')}, r.application_key, 0, (e.event_type = 'correction_appended')::integer,
        (e.event_type = 'voided')::integer, (e.event_type = 'redacted')::integer, 0
      from leaves l
      cross join lateral (select x.event_type, x.sequence from answer_evidence.lifecycle_events x
        where x.workspace_id = $1 and x.id = l.id offset 0) e
      cross join ${recordOf('l.subject')}
      cross join lateral (select x.at from answer_evidence.ledger_leaves x
        where x.workspace_id = $1 and x.subject = l.subject and x.id = l.subject offset 0) o
      where l.type = 'lifecycle_event' and e.event_type in ('correction_appended', 'voided', 'redacted')
        and not exists (select from answer_evidence.lifecycle_events b where b.workspace_id = $1
          and b.record_id = l.subject and b.sequence < e.sequence and b.event_type = e.event_type)
    union all
    select ${dayOf('l.at')}, r.application_key, 0, 0, 0, 0, 1
      from leaves l
      cross join lateral (select unnest(answer_evidence.records_read(x.core_json)) as record_id
        from answer_evidence.workspace_entries x where x.workspace_id = $1 and x.id = l.id offset 0) w
      cross join ${recordOf('w.record_id')}
      where l.type = 'texts_revealed')
  insert into answer_evidence.daily_counts as c
      (workspace_id, day, application_key, recorded, corrected, voided, redacted, readings)
    select $1, day, application_key, sum(recorded), sum(corrected), sum(voided), sum(redacted), sum(readings)
      from added group by day, application_key
    on conflict (workspace_id, day, application_key) do update set
      recorded = c.recorded + excluded.recorded, corrected = c.corrected + excluded.corrected,
      voided = c.voided + excluded.voided, redacted = c.redacted + excluded.redacted,
      readings = c.readings + excluded.readings`;

const COMPLETED_RUNS = `
  select (w.core_json::jsonb ->> 'run_id')::uuid as run_id from answer_evidence.ledger_leaves l
    cross join lateral (select x.core_json from answer_evidence.workspace_entries x
      where x.workspace_id = $1 and x.id = l.id offset 0) w
    where l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3 and l.type = 'reconciliation_completed'
    order by l.leaf_index`;

/** The distinct references of a run by day, with those that no record answers. */
const ADD_LIST = `
  insert into answer_evidence.counted_lists (workspace_id, run_id, day, application_key, listed, missing)
    select $1, $2, ${dayOf('named.at')}, r.application_key, count(*), count(m.reference_id)
      from answer_evidence.reconciliation_runs r
      cross join (select reference_id, min(occurred_at) as at from answer_evidence.reconciliation_references
        where workspace_id = $1 and run_id = $2 group by reference_id) named
      left join (select reference_id from answer_evidence.reconciliation_findings where workspace_id = $1
        and run_id = $2 and type = 'missing_service' and answer_log_id is null) m
        on m.reference_id = named.reference_id
      where r.workspace_id = $1 and r.id = $2
      group by 3, 4`;

const ADD_RUN = `
  insert into answer_evidence.counted_runs
    select $1, $2, r.application_key, r.environment, r.match_on, r.window_start, r.window_end, f.findings, f.missing,
        (select min(x.occurred_at) from answer_evidence.reconciliation_references x
          where x.workspace_id = $1 and x.run_id = $2 and x.reference_id in (
            select g.reference_id from answer_evidence.reconciliation_findings g where g.workspace_id = $1
              and g.run_id = $2 and g.type = 'missing_service' and g.answer_log_id is null))
      from answer_evidence.reconciliation_runs r
      cross join (select count(*) as findings,
          count(*) filter (where type = 'missing_service' and answer_log_id is null) as missing
        from answer_evidence.reconciliation_findings where workspace_id = $1 and run_id = $2) f
      where r.workspace_id = $1 and r.id = $2`;

/** A run about a window says again what earlier runs within it said. */
const DROP_COVERED = `
  with covered as (
    delete from answer_evidence.counted_runs o using answer_evidence.counted_runs n
      where n.workspace_id = $1 and n.run_id = $2 and o.workspace_id = $1 and o.run_id <> $2
        and o.application_key = n.application_key and o.environment = n.environment and o.match_on = n.match_on
        and o.window_start >= n.window_start and o.window_end <= n.window_end
      returning o.run_id)
  delete from answer_evidence.counted_lists c using covered where c.workspace_id = $1 and c.run_id = covered.run_id`;

/** Counts the next leaves in one transaction; returns whether there are more. */
export function countMore(pool: pg.Pool, workspaceId: string, nowMicros: number): Promise<boolean> {
  return writeWorkspace(pool, workspaceId, async (query) => {
    await query(
      'counted_begin',
      `insert into answer_evidence.counted_logs values ($1, 0, 0, '[]') on conflict do nothing`,
      [workspaceId],
    );
    const [place] = await query<{ counted: number; tree_size: number }>(
      'counted_lock',
      `select c.tree_size as counted, h.tree_size from answer_evidence.counted_logs c
         join answer_evidence.ledger_heads h on h.workspace_id = $1
         where c.workspace_id = $1 for update of c skip locked`,
      [workspaceId],
    );
    if (place === undefined || place.counted >= place.tree_size) return false;
    const to = Math.min(place.counted + LEAVES_MAX, place.tree_size);
    await query('', ADD_DAYS, [workspaceId, place.counted, to]);
    for (const { run_id: runId } of await query<{ run_id: string }>('', COMPLETED_RUNS, [
      workspaceId,
      place.counted,
      to,
    ]))
      await countRun(query, workspaceId, runId);
    await query(
      'counted_to',
      'update answer_evidence.counted_logs set tree_size = $2, counted_at = $3 where workspace_id = $1',
      [workspaceId, to, nowMicros],
    );
    return to < place.tree_size;
  });
}

async function countRun(query: Query, workspaceId: string, runId: string): Promise<void> {
  for (const statement of [ADD_RUN, ADD_LIST, DROP_COVERED]) await query('', statement, [workspaceId, runId]);
}
