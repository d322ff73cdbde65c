import type { WorkspaceTopic } from '@answer-evidence/contracts';
import { type Clock, type DeadLetterStore, type IdSource, type JobOutbox, newId } from '@answer-evidence/ports';
import type { DeadLetterRow, JobRow } from '@answer-evidence/tables';
import type { FakeDatabase } from './fake-database.ts';
import { findPage, type OfWorkspace } from './fake-store.ts';

/** Asks for jobs in memory; nobody does them. */
export function createFakeJobOutbox(database: FakeDatabase, source: IdSource): JobOutbox {
  return {
    request(_workspaceId, jobs) {
      const now = source.clock.nowMicros();
      const rows = jobs.map(({ topic, subject, dueAt }): JobRow => ({
        id: newId(source),
        topic,
        subject,
        created_at: now,
        due_at: dueAt ?? now,
      }));
      database.rows.outbox.push(...rows);
      return Promise.resolve(rows.map(({ id }) => id));
    },
  };
}

/** Dead letters of one workspace in memory. */
export function deadLettersOver({ rows }: FakeDatabase, clock: Clock): OfWorkspace<DeadLetterStore> {
  return {
    list({ after, ...page }) {
      const waiting = rows.dead_letters
        .filter((row) => row.replayed_at === null)
        .toSorted((a, b) => b.failed_at - a.failed_at || (a.id < b.id ? 1 : -1));
      return findPage(
        waiting,
        page,
        (row) =>
          after === undefined ||
          row.failed_at < after.failedAt ||
          (row.failed_at === after.failedAt && row.id < after.id),
      );
    },
    replay(id) {
      const at = rows.dead_letters.findIndex((candidate) => candidate.id === id);
      const row = rows.dead_letters[at];
      if (row === undefined || row.replayed_at !== null) return row;
      const replayed: DeadLetterRow = { ...row, replayed_at: clock.nowMicros() };
      rows.dead_letters[at] = replayed;
      rows.outbox.push({
        id,
        // Anyone who put it there knows the topic.
        topic: row.topic as WorkspaceTopic,
        subject: row.subject,
        created_at: row.created_at,
        due_at: clock.nowMicros(),
      });
      return replayed;
    },
  };
}
