import type pg from 'pg';
import { type Clock, type JobOutbox, newId, type RandomSource } from '@answer-evidence/ports';
import { type JobRow, OUTBOX } from '@answer-evidence/tables';
import { formatInserts } from '../append/insert-rows.ts';
import { writeWorkspace } from '../session.ts';

/** Asks for jobs in a transaction of their own. `onJobs` is called when they are committed. */
export function createJobOutbox(deps: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly onJobs: () => void;
}): JobOutbox {
  return {
    async request(workspaceId, jobs) {
      const now = deps.clock.nowMicros();
      const rows = jobs.map(({ topic, subject, dueAt }): JobRow => ({
        id: newId(deps),
        topic,
        subject,
        created_at: now,
        due_at: dueAt ?? now,
      }));
      await writeWorkspace(deps.pool, workspaceId, async (query) => {
        for (const { name, text, values } of formatInserts(OUTBOX, workspaceId, rows)) await query(name, text, values);
      });
      deps.onJobs();
      return rows.map(({ id }) => id);
    },
  };
}
