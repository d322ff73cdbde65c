import type pg from 'pg';
import type { Clock, DeadLetterStore } from '@answer-evidence/ports';
import type { DeadLetterRow } from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import { readWorkspace, writeWorkspace } from '../session.ts';

const COLUMNS = 'id, topic, subject, attempts, reason_code, reason_detail, created_at, failed_at, replayed_at';

/** Dead letters on PostgreSQL. `onJobs` is called when one was put into the outbox again. */
export function createDeadLetterStore(deps: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly onJobs: () => void;
}): DeadLetterStore {
  return {
    list: (workspaceId, { after, offset, limit }) =>
      readWorkspace(deps.pool, workspaceId, async (query) => {
        const [items, counted] = await Promise.all([
          query<DeadLetterRow>(
            'dead_letters',
            `select ${COLUMNS} from answer_evidence.dead_letters
               where workspace_id = $1 and replayed_at is null
                 and ($2::bigint is null or (failed_at, id) < ($2, $3::uuid))
               order by failed_at desc, id desc offset $4 limit $5`,
            [workspaceId, after?.failedAt ?? null, after?.id ?? null, offset, limit],
          ),
          countRows(
            query,
            'dead_letters_counted',
            'from answer_evidence.dead_letters where workspace_id = $1 and replayed_at is null',
            [workspaceId],
          ),
        ]);
        return { items, ...counted };
      }),

    async replay(workspaceId, id) {
      const [row] = await writeWorkspace(deps.pool, workspaceId, async (query) => {
        // Two replays at once take turns at the row lock, and the second finds nothing left to put back.
        await query(
          'dead_letter_replayed',
          `with replayed as (
             update answer_evidence.dead_letters set replayed_at = $3
               where workspace_id = $1 and id = $2 and replayed_at is null
               returning workspace_id, id, topic, subject, created_at)
           insert into answer_evidence.outbox (workspace_id, id, topic, subject, created_at, due_at)
             select workspace_id, id, topic, subject, created_at, $3 from replayed`,
          [workspaceId, id, deps.clock.nowMicros()],
        );
        return query<DeadLetterRow>(
          'dead_letter',
          `select ${COLUMNS} from answer_evidence.dead_letters where workspace_id = $1 and id = $2`,
          [workspaceId, id],
        );
      });
      if (row !== undefined) deps.onJobs();
      return row;
    },
  };
}
