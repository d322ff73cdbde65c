import type pg from 'pg';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import type { RetentionStore } from '@answer-evidence/ports';
import { readRows, writeRows, writeWorkspace } from '../session.ts';
import { createDueCounts } from './due-counts.ts';

/** Before every object. */
const UUID_MIN = '00000000-0000-0000-0000-000000000000';
const BIGINT_MIN = '-9223372036854775808';

/** Which sealed contents may have to expire, by the index on `due_at`; erased contents have no row. */
export function createRetentionStore(pool: pg.Pool): RetentionStore {
  return {
    // Each look-up is fenced: without statistics the planner compares each content with each record.
    async findDue(workspaceId, nowMicros, after, limit) {
      const rows = await readRows<{ due_at: number; object_id: string; record_id: string }>(
        pool,
        'due_contents',
        `select c.due_at, c.object_id, coalesce(r.id, e.record_id) as record_id
             from answer_evidence.sealed_contents c
             left join lateral (select x.id from answer_evidence.answer_records x
               where x.workspace_id = $1 and x.id = c.object_id offset 0) r on true
             left join lateral (select x.record_id from answer_evidence.lifecycle_events x
               where x.workspace_id = $1 and x.id = c.object_id offset 0) e on true
             where c.workspace_id = $1 and c.due_at < $2 and (c.due_at, c.object_id) > ($3, $4)
               and coalesce(r.id, e.record_id) is not null
             order by c.due_at, c.object_id limit $5`,
        [workspaceId, nowMicros, after?.dueAt ?? BIGINT_MIN, after?.objectId ?? UUID_MIN, limit],
      );
      return rows.map((row) => ({ dueAt: row.due_at, objectId: row.object_id, recordId: row.record_id }));
    },
    ...createDueCounts(pool, 'sealed_contents'),
    async postpone(workspaceId, objectId, dueAt) {
      await writeRows(
        pool,
        'postpone_contents',
        `update answer_evidence.sealed_contents set due_at = $3
             where workspace_id = $1 and object_id = $2 and due_at < $3`,
        [workspaceId, objectId, dueAt],
      );
    },
    // `due_at + 0`: the rows are found by their ids. By the index of times, or by a join, each batch would read all
    // that is held.
    async putOnHold(workspaceId, objectIds, heldUntil) {
      await writeRows(
        pool,
        'hold_contents',
        `update answer_evidence.sealed_contents set due_at = $3
             where workspace_id = $1 and object_id = any($2::uuid[]) and due_at + 0 < $3`,
        [workspaceId, objectIds, heldUntil],
      );
    },
    takeOffHold: (workspaceId, heldUntil, limit) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        const ends = await query<{ object_id: string; retention_until: number }>(
          'contents_to_release',
          // Under row security a record is found by its key only where that is a column and no expression.
          `select held.object_id, r.retention_until from (
               select h.object_id, coalesce(e.record_id, h.object_id) as record_id from (
                 select x.object_id from answer_evidence.sealed_contents x
                   where x.workspace_id = $1 and x.due_at >= $2 and x.due_at < $3 order by x.due_at limit $4) h
               left join lateral (select x.record_id from answer_evidence.lifecycle_events x
                 where x.workspace_id = $1 and x.id = h.object_id offset 0) e on true
               offset 0) held
             cross join lateral (select x.retention_until from answer_evidence.answer_records x
               where x.workspace_id = $1 and x.id = held.record_id offset 0) r`,
          [workspaceId, HELD_FROM, heldUntil, limit],
        );
        if (ends.length > 0)
          await query(
            'release_contents',
            `update answer_evidence.sealed_contents c set due_at = ($3::bigint[])[array_position($2::uuid[], c.object_id)]
               where c.workspace_id = $1 and c.object_id = any($2::uuid[]) and c.due_at + 0 >= $4 and c.due_at + 0 < $5`,
            [
              workspaceId,
              ends.map((end) => end.object_id),
              ends.map((end) => end.retention_until),
              HELD_FROM,
              heldUntil,
            ],
          );
        return ends.length;
      }),
  };
}
