import type { AppendPlan, Insert, RowMac, Write } from '@answer-evidence/ledger';
import {
  type AnyTable,
  COMMITS,
  type HeadRow,
  LEAVES,
  type RowOf,
  type Table,
  TABLE_NAMES,
  type TableName,
  TABLES,
  type TileRow,
  TILES,
} from '@answer-evidence/tables';
import { withMacs } from '../rows/row-macs.ts';
import { formatErasures } from './format-erasures.ts';
import { formatColumns, formatInserts, formatReplace, type Statement } from './insert-rows.ts';

/** From so many rows on, a table is written column by column. */
const COLUMNS_MIN = 16;

/** The workspace that a plan is for, and what makes the MACs of its rows. */
export type PlanTarget = { readonly workspaceId: string; readonly mac: RowMac };

/**
 * The statements of one transaction, in order. The head comes first: it takes the lock that serialises the workspace's
 * writers, and if it is not the expected head, the rest is rolled back.
 */
export function formatPlan(
  { workspaceId, mac }: PlanTarget,
  expected: HeadRow,
  next: HeadRow,
  plan: AppendPlan,
  tiles: readonly TileRow[],
): readonly Statement[] {
  if (plan.commit === undefined) return [];
  return [
    {
      name: 'transact_advance_head',
      text: 'select answer_evidence.advance_head($1, $2, $3, $4, $5, $6, $7, $8)',
      values: [
        workspaceId,
        expected.tree_size,
        expected.mac,
        next.tree_size,
        next.right_edge,
        next.last_at,
        next.settings_version,
        next.mac,
      ],
    },
    ...formatRowsOf(LEAVES, workspaceId, plan.leaves),
    ...formatInserts(COMMITS, workspaceId, [plan.commit]),
    ...formatInserts(TILES, workspaceId, tiles),
    // Erasing comes before inserting: what stays is sealed anew under the same ids, and equal bytes may come again.
    ...formatErasures(workspaceId, plan.writes),
    ...formatRows({ workspaceId, mac }, plan.writes),
    ...plan.writes.flatMap((write) => formatUpdate(workspaceId, write) ?? []),
  ];
}

type AnyRow = RowOf<AnyTable>;

/** The inserts of all rows, table by table in the order of the catalogue. */
function formatRows({ workspaceId, mac }: PlanTarget, writes: readonly Write[]): readonly Statement[] {
  const rows = new Map<TableName, Insert['row'][]>();
  for (const write of writes) {
    if (write.kind !== 'insert') continue;
    const own = rows.get(write.table);
    if (own === undefined) rows.set(write.table, [write.row]);
    else own.push(write.row);
  }
  return TABLE_NAMES.flatMap((name) => {
    const own = rows.get(name);
    if (own === undefined) return [];
    const inserted: { table: AnyTable; rows: readonly AnyRow[] } = TABLES[name].authenticated
      ? withMacs<AnyRow>({ mac }, TABLES[name], own)
      : { table: TABLES[name], rows: own };
    return formatRowsOf(inserted.table, workspaceId, inserted.rows);
  });
}

function formatRowsOf<Row>(table: Table<Row>, workspaceId: string, rows: readonly Row[]): readonly Statement[] {
  return rows.length < COLUMNS_MIN
    ? formatInserts(table, workspaceId, rows)
    : [formatColumns(table, workspaceId, rows)];
}

/** The statement of a write that changes a row; none for any other. */
function formatUpdate(workspaceId: string, write: Write): Statement | undefined {
  switch (write.kind) {
    case 'replace':
      return formatReplace<AnyRow>(TABLES[write.table], workspaceId, write.row);
    case 'complete_run':
      return {
        name: 'transact_complete_run',
        text: `update answer_evidence.reconciliation_states set status = 'completed', progress = 100
          where workspace_id = $1 and run_id = $2 and entry_id = $3`,
        values: [workspaceId, write.runId, write.entryId],
      };
    case 'revoke_token':
      return {
        name: 'transact_revoke_token',
        text: `update answer_evidence.tokens set revoked_at = $3, overlap_until = $4
          where workspace_id = $1 and id = $2 and revoked_at is null`,
        values: [workspaceId, write.tokenId, write.at, write.overlapUntil],
      };
    case 'cut_token':
      return {
        name: 'transact_cut_token',
        text: `update answer_evidence.tokens set cut_at = $3
          where workspace_id = $1 and id = $2 and cut_at is null`,
        values: [workspaceId, write.tokenId, write.at],
      };
    case 'drop_credential':
      return {
        name: 'transact_drop_credential',
        text: 'delete from answer_evidence.member_credentials where workspace_id = $1 and member_id = $2',
        values: [workspaceId, write.memberId],
      };
    case 'drop_provider_link':
      return {
        name: 'transact_drop_provider_link',
        text: 'delete from answer_evidence.provider_links where workspace_id = $1 and member_id = $2',
        values: [workspaceId, write.memberId],
      };
    case 'insert':
    case 'erase_sealed':
    case 'erase_evidence':
      return undefined;
  }
}
