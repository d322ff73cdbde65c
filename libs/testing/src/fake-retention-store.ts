import type { RetentionStore } from '@answer-evidence/ports';
import type { SealedRow } from '@answer-evidence/tables';
import type { FakeDatabase } from './fake-database.ts';
import { createFakeDues } from './fake-dues.ts';
import type { OfWorkspace } from './fake-store.ts';

/** Which sealed contents of a workspace in memory may have to expire. */
export function retentionOver({ rows }: FakeDatabase): OfWorkspace<RetentionStore> {
  const recordOf = ({ object_id: id }: SealedRow) =>
    rows.lifecycle_events.find((event) => event.id === id)?.record_id ?? id;
  const dues = createFakeDues(
    () => rows.sealed_contents,
    (row) => row.object_id,
    (row) => rows.answer_records.find(({ id }) => id === recordOf(row))?.retention_until ?? 0,
  );
  return {
    ...dues,
    findDue: (nowMicros, after, limit) =>
      dues
        .findDue(nowMicros, after && { dueAt: after.dueAt, id: after.objectId }, limit)
        .map((row) => ({ dueAt: row.due_at, objectId: row.object_id, recordId: recordOf(row) })),
  };
}
