import type { Table, WithLeaf } from '@answer-evidence/tables';
import type { Query } from '../session.ts';
import { aliased, type JoinedRow, LEAF_SELECT, leafOf, pick } from './rows.ts';

/** The rows of a table that belong to these records, each with its leaf, in the order of the log, by record. */
export async function readByRecord<Row extends { readonly record_id: string }>(
  query: Query,
  workspaceId: string,
  recordIds: readonly string[],
  table: Table<Row>,
): Promise<ReadonlyMap<string, readonly WithLeaf<Row>[]>> {
  const byRecord = new Map<string, WithLeaf<Row>[]>();
  if (recordIds.length === 0) return byRecord;
  const rows = await query<JoinedRow>(
    `${table.name}_by_record`,
    `select ${aliased('x', table)}, ${LEAF_SELECT} from answer_evidence.${table.name} x
       join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = x.record_id and l.id = x.id
       where x.workspace_id = $1 and x.record_id = any($2::uuid[]) order by l.leaf_index`,
    [workspaceId, recordIds],
  );
  for (const [recordId, own] of Map.groupBy(rows, (row) => row.x_record_id as string))
    byRecord.set(
      recordId,
      own.map((row) => ({ row: pick(row, 'x', table), leaf: leafOf(row) })),
    );
  return byRecord;
}
