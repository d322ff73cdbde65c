import type { TriageFilters, TriageGroup, TriageStore } from '@answer-evidence/ports';
import { RUN_FINDINGS, TRIAGE_STEPS } from '@answer-evidence/tables';
import { aliased, type JoinedRow } from '../rows/rows.ts';
import type { Query } from '../session.ts';

/** The newest step of each finding of the run $2; people take few steps, compared with what a run may find. */
const LATEST = `select distinct on (s.position) ${aliased('s', TRIAGE_STEPS)}, s.mac as s_mac
    from answer_evidence.triage_steps s
    where s.workspace_id = $1 and s.run_id = $2 order by s.position, s.version desc`;

/** Those due at no time come last. */
const DUE_PLACE = 'l.s_due_at is null, coalesce(l.s_due_at, 0), f.position';

/** Findings of the run $2 of the workspace $1, each with its newest step, after a place in their order. */
export function readTriaged(
  query: Query,
  run: readonly [workspaceId: string, runId: string],
  { type, state, assigneeId, dueBefore, isOverdue }: TriageFilters,
  { order, after, offset, limit }: Parameters<TriageStore['list']>[3],
  nowMicros: number,
): Promise<readonly JoinedRow[]> {
  const values: unknown[] = [...run];
  const conditions: string[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = (condition: string) => conditions.push(`and ${condition}`);
  if (type !== undefined) where(`f.type = ${parameter(type)}`);
  if (state !== undefined) where(`coalesce(l.s_state, 'open') = ${parameter(state)}`);
  if (assigneeId === null) where('l.s_assignee_id is null');
  else if (assigneeId !== undefined) where(`l.s_assignee_id = ${parameter(assigneeId)}`);
  if (dueBefore !== undefined) where(`l.s_due_at < ${parameter(dueBefore)}`);
  if (isOverdue !== undefined)
    where(`(l.s_state = 'open' and l.s_due_at < ${parameter(nowMicros)}) is ${isOverdue ? '' : 'not '}true`);
  if (after !== undefined && order === 'position') where(`f.position > ${parameter(after.position)}`);
  if (after !== undefined && order === 'due') {
    const { dueAt, position } = after;
    where(`(${DUE_PLACE}) > (${parameter(dueAt === null)}, ${parameter(dueAt ?? 0)}, ${parameter(position)})`);
  }
  return query<JoinedRow>(
    '',
    `with latest as materialized (${LATEST})
     select ${aliased('f', RUN_FINDINGS)}, l.*, a.username as assignee_name
       from answer_evidence.reconciliation_findings f
       left join latest l on l.s_position = f.position
       left join answer_evidence.members a on a.workspace_id = $1 and a.id = l.s_assignee_id
       where f.workspace_id = $1 and f.run_id = $2 ${conditions.join(' ')}
       order by ${order === 'due' ? DUE_PLACE : 'f.position'}
       limit ${parameter(limit)} offset ${parameter(offset)}`,
    values,
  );
}

/** How many of the findings of the run that somebody has worked on are of which kind. */
export function readGroups(
  query: Query,
  workspaceId: string,
  runId: string,
  { dueBefore }: TriageFilters,
  nowMicros: number,
): Promise<readonly TriageGroup[]> {
  return query<TriageGroup>(
    'triage_groups',
    `with latest as (${LATEST})
     select f.type, l.s_state as state, l.s_assignee_id as "assigneeId",
         (l.s_due_at < $3) is true as "isDueBefore",
         (l.s_state = 'open' and l.s_due_at < $4) is true as "isOverdue", count(*) as findings
       from latest l join answer_evidence.reconciliation_findings f
         on f.workspace_id = $1 and f.run_id = $2 and f.position = l.s_position
       group by 1, 2, 3, 4, 5`,
    [workspaceId, runId, dueBefore ?? null, nowMicros],
  );
}
