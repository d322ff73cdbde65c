import { RECORD_FILTER_COLUMNS, type RecordFilters } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';

/** Records that filters let through: `from … where …` over `r` (records) alone; `$1` is the workspace. */
type Selection = { readonly sql: string; readonly values: readonly unknown[] };

const TREE_SIZE = '(select tree_size from answer_evidence.ledger_heads where workspace_id = $1)';

/** A scalar subquery: it is asked row by row by primary key, and the planner has nothing to choose. */
const IS_RECORDED = `coalesce((select s.status = 'recorded' from answer_evidence.record_states s
  where s.workspace_id = $1 and s.record_id = r.id), true)`;

/**
 * The filters as SQL. Joins are lateral and fenced (`offset 0`), so that PostgreSQL keeps the order and kind written
 * here: without statistics the planner expects a few rows per table, and compares each row with each row. A time is
 * converted to a leaf index once, because leaves are in order of time.
 */
export function selectRecords(workspaceId: string, filters: RecordFilters, beforeLeaf?: number): Selection {
  const values: unknown[] = [workspaceId];
  function parameter(value: unknown): string {
    values.push(value);
    return `$${values.length}`;
  }
  const conditions: string[] = [];
  let from = 'from answer_evidence.answer_records r';
  if (filters.status === undefined || filters.status === 'recorded') conditions.push('r.workspace_id = $1');
  else
    from = `from (select s.record_id from answer_evidence.record_states s
        where s.workspace_id = $1 and s.status = ${parameter(filters.status)} offset 0) changed
      cross join lateral (select * from answer_evidence.answer_records of_it
        where of_it.workspace_id = $1 and of_it.id = changed.record_id offset 0) r`;
  for (const column of RECORD_FILTER_COLUMNS) {
    const value = filters[column];
    if (value !== undefined) conditions.push(`r.${column} = ${parameter(value)}`);
  }
  if (filters.status === 'recorded') conditions.push(IS_RECORDED);
  if (filters.created_after !== undefined)
    conditions.push(`r.leaf_index >= ${firstLeafAt(parameter(parseTimestamp(filters.created_after)))}`);
  if (filters.created_before !== undefined)
    conditions.push(`r.leaf_index < ${firstLeafAt(parameter(parseTimestamp(filters.created_before)))}`);
  if (beforeLeaf !== undefined) conditions.push(`r.leaf_index < ${parameter(beforeLeaf)}`);
  return { sql: conditions.length === 0 ? from : `${from} where ${conditions.join(' and ')}`, values };
}

function firstLeafAt(parameter: string): string {
  return `(select answer_evidence.first_leaf_at($1, ${parameter}, ${TREE_SIZE}))`;
}
