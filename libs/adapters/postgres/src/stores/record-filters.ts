import type { RecordFilters } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';

/** A where clause over `r` (records) and `s` (states); `$1` is the workspace. */
export type Where = { readonly sql: string; readonly values: readonly unknown[] };

const COLUMNS = [
  'application_key',
  'environment',
  'external_trace_id',
  'external_message_id',
  'idempotency_key',
  'mode',
  'actor_id_hash',
  'session_id_hash',
] as const;

const TREE_SIZE = '(select tree_size from answer_evidence.ledger_heads where workspace_id = $1)';

/**
 * The filters as SQL. A time becomes a leaf index once, by binary search: leaves are in time order, so a window is a range
 * of the same index that orders the list.
 */
export function whereOf(workspaceId: string, filters: RecordFilters, beforeLeaf?: number): Where {
  const values: unknown[] = [workspaceId];
  const conditions = ['r.workspace_id = $1'];
  function add(condition: (parameter: string) => string, value: unknown): void {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  }
  for (const column of COLUMNS) {
    const value = filters[column];
    if (value !== undefined) add((parameter) => `r.${column} = ${parameter}`, value);
  }
  if (filters.status === 'recorded') conditions.push(`coalesce(s.status, 'recorded') = 'recorded'`);
  else if (filters.status !== undefined) add((parameter) => `s.status = ${parameter}`, filters.status);
  if (filters.created_after !== undefined)
    add((parameter) => `r.leaf_index >= ${firstLeafAt(parameter)}`, parseTimestamp(filters.created_after));
  if (filters.created_before !== undefined)
    add((parameter) => `r.leaf_index < ${firstLeafAt(parameter)}`, parseTimestamp(filters.created_before));
  if (beforeLeaf !== undefined) add((parameter) => `r.leaf_index < ${parameter}`, beforeLeaf);
  return { sql: conditions.join(' and '), values };
}

function firstLeafAt(parameter: string): string {
  return `(select answer_evidence.first_leaf_at($1, ${parameter}, ${TREE_SIZE}))`;
}
