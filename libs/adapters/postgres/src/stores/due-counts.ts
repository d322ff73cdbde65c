import type pg from 'pg';
import type { RetentionStore } from '@answer-evidence/ports';
import { readRow } from '../session.ts';

/** Counts the rows of a table whose texts are kept until a time: those that are due, up to a limit, and all. */
export function createDueCounts(
  pool: pg.Pool,
  table: 'sealed_contents' | 'triage_texts',
): Pick<RetentionStore, 'countDue' | 'countKept'> {
  return {
    async countDue(workspaceId, from, before, limit) {
      const row = await readRow<{ due: number }>(
        pool,
        `count_due_${table}`,
        `select count(*) as due from (select 1 from answer_evidence.${table}
             where workspace_id = $1 and due_at >= $2 and due_at < $3 limit $4) d`,
        [workspaceId, from, before, limit],
      );
      return row?.due ?? 0;
    },
    async countKept(workspaceId) {
      const row = await readRow<{ kept: number }>(
        pool,
        `count_kept_${table}`,
        `select count(*) as kept from answer_evidence.${table} where workspace_id = $1`,
        [workspaceId],
      );
      return row?.kept ?? 0;
    },
  };
}
