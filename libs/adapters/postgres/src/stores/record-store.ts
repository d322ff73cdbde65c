import { PAGE_REACH_MAX, type RecordFilters, type RecordStatus } from '@answer-evidence/contracts';
import type { RecordStore, StoredEvent, StoredRecord } from '@answer-evidence/ports';
import type pg from 'pg';
import { type Query, readWorkspace } from '../session.ts';
import { whereOf } from './record-filters.ts';
import {
  EVENT_SELECT,
  eventOf,
  type JoinedRow,
  LEAF_SELECT,
  leafOf,
  RECORD_SELECT,
  recordOf,
  SEALED_SELECT,
  sealedOf,
} from './rows.ts';

const STATE_JOIN = 'left join answer_evidence.record_states s on s.workspace_id = $1 and s.record_id = r.id';
const LEAF_JOIN = 'join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.leaf_index = r.leaf_index';
const SEALED_JOIN = 'left join answer_evidence.sealed_contents c on c.workspace_id = $1 and c.object_id = r.id';
const FROM = `from answer_evidence.answer_records r ${LEAF_JOIN} ${STATE_JOIN} ${SEALED_JOIN}`;

/** Reads of records. Each method is one snapshot; its statements travel together. */
export function createRecordStore(pool: pg.Pool): RecordStore {
  return {
    find: (workspaceId, recordId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [rows, events] = await Promise.all([
          query<JoinedRow>(
            'record',
            `select ${RECORD_SELECT}, ${LEAF_SELECT}, s.status, ${SEALED_SELECT}, c.texts as c_texts ${FROM}
               where r.workspace_id = $1 and r.id = $2`,
            [workspaceId, recordId],
          ),
          readEvents(query, workspaceId, [recordId], 'all'),
        ]);
        const [row] = rows;
        return row === undefined ? undefined : storedRecord(row, events.get(recordId) ?? []);
      }),

    list: (workspaceId, filters, page) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const where = whereOf(workspaceId, filters, page.beforeLeaf);
        const all = whereOf(workspaceId, filters);
        // An application's list is a range of its own index; any other list walks the log itself backwards.
        const order = filters.application_key === undefined ? 'l.leaf_index' : 'r.leaf_index';
        const [rows, counts] = await Promise.all([
          query<JoinedRow>(
            '',
            `select ${RECORD_SELECT}, ${LEAF_SELECT}, s.status, ${SEALED_SELECT} ${FROM}
               where ${where.sql} order by ${order} desc limit ${page.limit} offset ${page.offset}`,
            where.values,
          ),
          query<{ total: number }>(
            '',
            `select count(*) as total from (select 1 from answer_evidence.answer_records r ${STATE_JOIN}
               where ${all.sql} limit ${PAGE_REACH_MAX + 1}) as counted`,
            all.values,
          ),
        ]);
        const total = counts[0]?.total ?? 0;
        const ids = rows.map((row) => row.r_id as string);
        const events = await readEvents(query, workspaceId, ids, 'redacted');
        return {
          records: rows.map((row) => storedRecord(row, events.get(row.r_id as string) ?? [])),
          total: Math.min(total, PAGE_REACH_MAX),
          totalIsExact: total <= PAGE_REACH_MAX,
        };
      }),

    export: (workspaceId, filters: RecordFilters, limit) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const where = whereOf(workspaceId, filters);
        const order = filters.application_key === undefined ? 'l.leaf_index' : 'r.leaf_index';
        const [rows, counts] = await Promise.all([
          query<JoinedRow>(
            '',
            `select ${RECORD_SELECT}, ${LEAF_SELECT}, s.status, ${SEALED_SELECT}, c.texts as c_texts ${FROM}
               where ${where.sql} order by ${order} limit ${limit + 1}`,
            where.values,
          ),
          query<{ total: number }>(
            '',
            `select count(*) as total from answer_evidence.answer_records r ${STATE_JOIN} where ${where.sql}`,
            where.values,
          ),
        ]);
        const delivered = rows.slice(0, limit);
        const ids = delivered.map((row) => row.r_id as string);
        const events = await readEvents(query, workspaceId, ids, 'all');
        return {
          records: delivered.map((row) => storedRecord(row, events.get(row.r_id as string) ?? [])),
          matching: counts[0]?.total ?? 0,
          nextCreatedAt: rows[limit]?.l_at as number | undefined,
        };
      }),
  };
}

function storedRecord(row: JoinedRow, events: readonly StoredEvent[]): StoredRecord {
  return {
    record: recordOf(row),
    leaf: leafOf(row),
    status: (row.status as RecordStatus | null) ?? 'recorded',
    sealed: sealedOf(row),
    events,
  };
}

async function readEvents(
  query: Query,
  workspaceId: string,
  recordIds: readonly string[],
  which: 'all' | 'redacted',
): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const events = new Map<string, StoredEvent[]>();
  if (recordIds.length === 0) return events;
  const rows = await query<JoinedRow>(
    `events_${which}`,
    `select ${EVENT_SELECT}, ${LEAF_SELECT}, ${SEALED_SELECT}, c.texts as c_texts
       from answer_evidence.lifecycle_events e
       join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = e.record_id and l.id = e.id
       left join answer_evidence.sealed_contents c on c.workspace_id = $1 and c.object_id = e.id
       where e.workspace_id = $1 and e.record_id = any($2::uuid[]) ${which === 'all' ? '' : `and e.event_type = 'redacted'`}
       order by e.record_id, e.sequence`,
    [workspaceId, recordIds],
  );
  for (const row of rows) {
    const event = { event: eventOf(row), leaf: leafOf(row), sealed: sealedOf(row) };
    const list = events.get(event.event.record_id);
    if (list === undefined) events.set(event.event.record_id, [event]);
    else list.push(event);
  }
  return events;
}
