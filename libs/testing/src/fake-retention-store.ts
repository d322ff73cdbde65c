import { HELD_FROM } from '@answer-evidence/lifecycle';
import type { RetentionStore } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';

/** Which sealed contents of a workspace in memory may have to expire. */
export function createFakeRetentionStore(database: FakeDatabase, workspaceId: string): RetentionStore {
  function recordOf(objectId: string): string {
    return database.rows.lifecycle_events.find(({ id }) => id === objectId)?.record_id ?? objectId;
  }
  return {
    findDue(asked, nowMicros, after, limit) {
      const due = database.rows.sealed_contents
        .map((row) => ({ dueAt: row.due_at, objectId: row.object_id, recordId: recordOf(row.object_id) }))
        .filter(({ dueAt }) => asked === workspaceId && dueAt < nowMicros)
        .sort((a, b) => a.dueAt - b.dueAt || (a.objectId < b.objectId ? -1 : 1))
        .filter(({ dueAt, objectId }) => {
          if (after === undefined || dueAt > after.dueAt) return true;
          return dueAt === after.dueAt && objectId > after.objectId;
        });
      return Promise.resolve(due.slice(0, limit));
    },
    countDue(asked, from, before, limit) {
      const due = database.rows.sealed_contents.filter(({ due_at: at }) => at >= from && at < before);
      return Promise.resolve(asked === workspaceId ? Math.min(due.length, limit) : 0);
    },
    countKept: (asked) => Promise.resolve(asked === workspaceId ? database.rows.sealed_contents.length : 0),
    postpone(asked, objectId, dueAt) {
      const { rows } = database;
      if (asked === workspaceId)
        rows.sealed_contents = rows.sealed_contents.map((row) =>
          row.object_id === objectId && row.due_at < dueAt ? { ...row, due_at: dueAt } : row,
        );
      return Promise.resolve();
    },
    putOnHold(asked, objectIds, heldUntil) {
      const { rows } = database;
      if (asked === workspaceId)
        rows.sealed_contents = rows.sealed_contents.map((row) =>
          objectIds.includes(row.object_id) && row.due_at < heldUntil ? { ...row, due_at: heldUntil } : row,
        );
      return Promise.resolve();
    },
    takeOffHold(asked, heldUntil, limit) {
      const { rows } = database;
      let taken = 0;
      if (asked === workspaceId)
        rows.sealed_contents = rows.sealed_contents.map((row) => {
          if (row.due_at < HELD_FROM || row.due_at >= heldUntil || taken === limit) return row;
          taken++;
          const record = rows.answer_records.find(({ id }) => id === recordOf(row.object_id));
          return { ...row, due_at: record?.retention_until ?? 0 };
        });
      return Promise.resolve(taken);
    },
  };
}
