import { RECORD_FILTER_COLUMNS, type RecordFilters } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';

/** A where clause over `r` (records), `s` (states) and, when it is by the log, `l` (leaves); `$1` is the workspace. */
export type Where = { readonly sql: string; readonly values: readonly unknown[] };

// As an anti-join, whose size PostgreSQL can estimate; of a coalesce it assumes that next to nothing passes, and sorts.
const NEVER_CHANGED = `not exists (select 1 from answer_evidence.record_states changed
  where changed.workspace_id = $1 and changed.record_id = r.id and changed.status <> 'recorded')`;

const TREE_SIZE = '(select tree_size from answer_evidence.ledger_heads where workspace_id = $1)';

/** The filters that have an index of their own. */
const INDEXED = [
  'application_key',
  'external_trace_id',
  'external_message_id',
  'actor_id_hash',
  'session_id_hash',
] as const satisfies readonly (typeof RECORD_FILTER_COLUMNS)[number][];

/** Whether some filter has an index; without one, a list walks the log itself. */
export function isIndexed(filters: RecordFilters): boolean {
  return INDEXED.some((column) => filters[column] !== undefined);
}

/** The filters as SQL; `place` orders the list. Times become leaf indexes once: leaves are in the order of time. */
export function whereOf(
  workspaceId: string,
  filters: RecordFilters,
  place: 'r.leaf_index' | 'l.leaf_index',
  beforeLeaf?: number,
): Where {
  const values: unknown[] = [workspaceId];
  const conditions = ['r.workspace_id = $1'];
  function add(condition: (parameter: string) => string, value: unknown): void {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  }
  for (const column of RECORD_FILTER_COLUMNS) {
    const value = filters[column];
    if (value !== undefined) add((parameter) => `r.${column} = ${parameter}`, value);
  }
  if (filters.status === 'recorded') conditions.push(NEVER_CHANGED);
  else if (filters.status !== undefined) add((parameter) => `s.status = ${parameter}`, filters.status);
  if (filters.created_after !== undefined)
    add((parameter) => `${place} >= ${firstLeafAt(parameter)}`, parseTimestamp(filters.created_after));
  if (filters.created_before !== undefined)
    add((parameter) => `${place} < ${firstLeafAt(parameter)}`, parseTimestamp(filters.created_before));
  if (beforeLeaf !== undefined) add((parameter) => `${place} < ${parameter}`, beforeLeaf);
  return { sql: conditions.join(' and '), values };
}

function firstLeafAt(parameter: string): string {
  return `(select answer_evidence.first_leaf_at($1, ${parameter}, ${TREE_SIZE}))`;
}
