import {
  isWithin,
  type MarkedFilters,
  NO_LIMITS,
  RECORD_FILTER_COLUMNS,
  type Within,
} from '@answer-evidence/contracts';
import { formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import type { RecordStore, StoredEvent, StoredRecord } from '@answer-evidence/ports';
import { ATTACHMENTS, type EventRow, type RecordAttachments, type RecordRow } from '@answer-evidence/tables';
import type { FakeDatabase } from './fake-database.ts';
import { findLeafPage, hasValues, isCreatedWithin, type OfWorkspace } from './fake-store.ts';

/** Reads a workspace's records in memory. Tests of the routes hold it against PostgreSQL. */
export function recordsOver(database: FakeDatabase): OfWorkspace<RecordStore> {
  function matching(filters: MarkedFilters & Within): readonly StoredRecord[] {
    return database.rows.answer_records
      .map((row) => storedRecord(database, row))
      .filter((stored) => isMatch(stored, filters) && isClaimed(stored.record.id, filters));
  }
  function isClaimed(recordId: string, { answered_after: after, answered_before: before }: MarkedFilters): boolean {
    if (after === undefined && before === undefined) return true;
    const at = database.rows.answered_claims.find((claim) => claim.record_id === recordId)?.answered_at;
    return (
      at !== undefined &&
      (after === undefined || at >= parseTimestamp(after)) &&
      (before === undefined || at < parseTimestamp(before))
    );
  }
  return {
    find(recordId) {
      const row = database.rows.answer_records.find(({ id }) => id === recordId);
      return row && storedRecord(database, row);
    },
    listValues(within) {
      const all = matching({ within });
      const different = (valueOf: (record: RecordRow) => string | null) =>
        [...new Set(all.map(({ record }) => valueOf(record) ?? ''))].filter((value) => value !== '').toSorted();
      return {
        applications: different((record) => record.application_key),
        environments: different((record) => record.environment),
        modes: different((record) => record.mode),
      };
    },
    list(filters, page) {
      const listed = matching(filters).map(({ sealed, events, ...rest }) => ({
        ...rest,
        sealed: sealed && { ...sealed, texts: null },
        events: events.filter(({ event }) => event.event_type === 'redacted'),
      }));
      return findLeafPage(listed.toReversed(), page);
    },
    listAt: (leaves) => matching({}).filter(({ leaf }) => leaves.includes(leaf.leaf_index)),
    marks: (recordIds) =>
      new Map(
        recordIds.map((id) => {
          const own = database.rows.lifecycle_events.filter((event) => event.record_id === id);
          return [id, { events: new Set(own.map((event) => event.event_type)), reconciled: undefined }];
        }),
      ),
    countAnswered({ after = -Infinity, before = Infinity, applications }) {
      const counts = new Map<string, number>();
      for (const claim of database.rows.answered_claims) {
        if (claim.answered_at < after || claim.answered_at >= before) continue;
        if (applications?.includes(claim.application_key) === false) continue;
        const day = formatTimestamp(claim.answered_at).slice(0, 10);
        counts.set(day, (counts.get(day) ?? 0) + 1);
      }
      const days = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
      return { unit: 'day', counts: days.map(([from, records]) => ({ from, records })) };
    },
    export(filters, limit, bytesMax) {
      const all = matching(filters);
      let bytes = 0;
      const over = all.findIndex((stored, n) => (bytes += sizeOf(stored)) > bytesMax && n > 0);
      const count = Math.min(limit, over < 0 ? all.length : over);
      return { records: all.slice(0, count), matching: all.length, nextCreatedAt: all[count]?.leaf.at };
    },
  };
}

/** Bytes that are sealed of a record and its events. */
function sizeOf({ sealed, events }: StoredRecord): number {
  const contents = [sealed, ...events.map((event) => event.sealed)];
  return contents.reduce((sum, one) => sum + (one?.texts?.length ?? 0) + (one?.items?.length ?? 0), 0);
}

function storedRecord(database: FakeDatabase, record: RecordRow): StoredRecord {
  return {
    record,
    leaf: database.leafOf(record.id),
    status: database.rows.record_states.find((row) => row.record_id === record.id)?.status ?? 'recorded',
    sealed: database.rows.sealed_contents.find((row) => row.object_id === record.id),
    events: database.rows.lifecycle_events.filter((event) => event.record_id === record.id).map(storedEvent),
    attached: Object.fromEntries(
      Object.entries(ATTACHMENTS).map(([kind, { name }]) => [
        kind,
        (database.rows[name] as readonly { readonly id: string; readonly record_id: string }[])
          .filter((row) => row.record_id === record.id)
          .map((row) => ({ row, leaf: database.leafOf(row.id) })),
      ]),
    ) as unknown as RecordAttachments,
  };

  function storedEvent(event: EventRow): StoredEvent {
    return {
      event,
      leaf: database.leafOf(event.id),
      sealed: database.rows.sealed_contents.find((row) => row.object_id === event.id),
    };
  }
}

function isMatch({ record, leaf, status }: StoredRecord, filters: MarkedFilters & Within): boolean {
  return (
    hasValues(record, filters, RECORD_FILTER_COLUMNS) &&
    isWithin(filters.within ?? NO_LIMITS, record) &&
    (filters.status === undefined || filters.status === status) &&
    isCreatedWithin(filters, leaf.at)
  );
}
