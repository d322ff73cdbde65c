import type pg from 'pg';
import type { RecordFilters, RecordStatus } from '@answer-evidence/contracts';
import {
  type ListedRecord,
  type RecordStore,
  StoredDamageError,
  type StoredEvent,
  type StoredRecord,
} from '@answer-evidence/ports';
import { ATTACHMENTS, EVENTS, type RecordAttachments, RECORDS, type Table } from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import {
  aliased,
  type JoinedRow,
  LEAF_SELECT,
  leafOf,
  pick,
  RECORD_SELECT,
  SEALED_SELECT,
  sealedOf,
} from '../rows/rows.ts';
import { readByRecord } from '../rows/rows-by-record.ts';
import { type Query, readWorkspace } from '../session.ts';
import { createSelector, type Filters, selectLeftOut, type Selector } from './record-filters.ts';
import { readKinds } from './record-kinds.ts';
import { readAnswered, readMarks } from './record-marks.ts';

/**
 * What belongs to records `r`, each by its primary key: fenced and lateral, so that a planner without statistics has no
 * other way.
 */
const LEAF_JOIN = lateral('l', 'select * from answer_evidence.ledger_leaves x where x.leaf_index = r.leaf_index');
const STATE_JOIN = lateral('s', 'select x.status from answer_evidence.record_states x where x.record_id = r.id');
const SEALED_JOIN = lateral('c', 'select * from answer_evidence.sealed_contents x where x.object_id = r.id');
// A record whose leaf is gone must not look like one that was never made: where it is missed, the join is a left one.
const WITH_ROWS = `join ${LEAF_JOIN} left join ${STATE_JOIN} left join ${SEALED_JOIN}`;

function lateral(alias: string, query: string): string {
  return `lateral (${query} and x.workspace_id = $1 offset 0) ${alias} on true`;
}

/** The attachments that lists show. */
const LISTED: ReadonlySet<string> = new Set<keyof ListedRecord['attached']>(['expiries', 'traces']);

/** Reads of records. Each method is one snapshot; its statements travel together. */
export function createRecordStore(pool: pg.Pool): RecordStore {
  return {
    find: (workspaceId, recordId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [rows, attached] = await Promise.all([
          query<JoinedRow>(
            'record',
            `select ${RECORD_SELECT}, ${LEAF_SELECT}, s.status, ${SEALED_SELECT}, c.texts as c_texts
               from answer_evidence.answer_records r left ${WITH_ROWS} where r.workspace_id = $1 and r.id = $2`,
            [workspaceId, recordId],
          ),
          readAttached(query, workspaceId, [recordId], 'all'),
        ]);
        const [row] = rows;
        if (row === undefined) return undefined;
        if (row.l_leaf_index === null) throw new StoredDamageError('a record has no leaf');
        return storedRecord(row, attached);
      }),

    listValues: (workspaceId, within) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const kinds = await readKinds(query, workspaceId, within === undefined ? {} : { within });
        return (
          kinds && {
            applications: listDifferent(kinds.applications),
            environments: listDifferent(kinds.environments),
            modes: listDifferent(kinds.modes),
          }
        );
      }),

    list: (workspaceId, filters, { beforeLeaf, limit, offset }) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const select = await createSelector(query, workspaceId, filters);
        const page = select({ beforeLeaf, order: 'desc', count: offset + limit });
        const [rows, count] = await Promise.all([
          query<JoinedRow>(
            '',
            `select ${RECORD_SELECT}, ${LEAF_SELECT}, s.status, ${SEALED_SELECT}
               from (select r.* ${page.sql} order by r.leaf_index desc limit ${limit} offset ${offset}) r ${WITH_ROWS}
               order by r.leaf_index desc`,
            page.values,
          ),
          countRecords(query, workspaceId, filters, select),
        ]);
        const ids = rows.map((row) => row.r_id as string);
        const attached = await readAttached(query, workspaceId, ids, 'for lists');
        return { items: rows.map((row) => storedRecord(row, attached)), ...count };
      }),

    listAt: (workspaceId, leaves) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<JoinedRow>(
          'records_at',
          `select ${RECORD_SELECT}, ${LEAF_SELECT}, s.status, ${SEALED_SELECT}
             from (select x.* from unnest($2::bigint[]) o (leaf_index)
               cross join lateral (select * from answer_evidence.answer_records x
                 where x.workspace_id = $1 and x.leaf_index = o.leaf_index offset 0) x) r ${WITH_ROWS}`,
          [workspaceId, leaves],
        );
        const ids = rows.map((row) => row.r_id as string);
        const attached = await readAttached(query, workspaceId, ids, 'for lists');
        return rows.map((row) => storedRecord(row, attached));
      }),

    marks: (workspaceId, recordIds) =>
      readWorkspace(pool, workspaceId, (query) => readMarks(query, workspaceId, recordIds)),
    countAnswered: (workspaceId, of) =>
      readWorkspace(pool, workspaceId, (query) => readAnswered(query, workspaceId, of)),

    export: (workspaceId, filters: RecordFilters, limit, bytesMax) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const select = await createSelector(query, workspaceId, filters);
        const [first, all] = [select({ order: 'asc', count: limit + 1 }), select()];
        const [sized, counts] = await Promise.all([
          query<SizedRow>(
            '',
            `select r.id, l.at, ${SEALED_SIZE} as size
               from (select r.id, r.leaf_index ${first.sql} order by r.leaf_index limit ${limit + 1}) r ${WITH_ROWS}
               order by r.leaf_index`,
            first.values,
          ),
          query<{ total: number }>('', `select count(*) as total ${all.sql}`, all.values),
        ]);
        const fitting = countFitting(sized, bytesMax);
        const ids = sized.slice(0, Math.min(limit, fitting)).map(({ id }) => id);
        const [rows, attached] = await Promise.all([
          query<JoinedRow>(
            'exported',
            `select ${RECORD_SELECT}, ${LEAF_SELECT}, s.status, ${SEALED_SELECT}, c.texts as c_texts
               from answer_evidence.answer_records r ${WITH_ROWS}
               where r.workspace_id = $1 and r.id = any($2::uuid[]) order by r.leaf_index`,
            [workspaceId, ids],
          ),
          readAttached(query, workspaceId, ids, 'all'),
        ]);
        return {
          records: rows.map((row) => storedRecord(row, attached)),
          matching: counts[0]?.total ?? 0,
          nextCreatedAt: sized[ids.length]?.at,
        };
      }),
  };
}

function listDifferent(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '').toSorted();
}

async function countRecords(query: Query, workspaceId: string, filters: Filters, select: Selector) {
  const leftOut = selectLeftOut(workspaceId, filters);
  if (leftOut !== undefined) {
    const { total, totalIsExact } = await countRows(query, '', leftOut.sql, leftOut.values);
    const any = select(undefined, 'any');
    if (totalIsExact) return countRows(query, '', any.sql, any.values, total);
  }
  const all = select();
  return countRows(query, '', all.sql, all.values);
}

type SizedRow = { readonly id: string; readonly at: number; readonly size: number };

/** Bytes that are sealed of a record and its events; their lengths are known without reading them. */
const SEALED_SIZE = `(coalesce(octet_length(c.texts), 0) + coalesce(octet_length(c.items), 0) + (
  select coalesce(sum(coalesce(octet_length(o.texts), 0) + coalesce(octet_length(o.items), 0)), 0)
    from answer_evidence.lifecycle_events e
    join answer_evidence.sealed_contents o on o.workspace_id = $1 and o.object_id = e.id
    where e.workspace_id = $1 and e.record_id = r.id))::bigint`;

/**
 * How many of the first rows together have at most this many bytes; at least one, so that the next page makes progress.
 */
function countFitting(rows: readonly SizedRow[], bytesMax: number): number {
  let bytes = 0;
  const over = rows.findIndex(({ size }, n) => (bytes += size) > bytesMax && n > 0);
  return over < 0 ? rows.length : over;
}

function storedRecord(row: JoinedRow, { events, attachedTo }: Attached): StoredRecord {
  const record = pick(row, 'r', RECORDS);
  return {
    record,
    leaf: leafOf(row),
    status: (row.status as RecordStatus | null) ?? 'recorded',
    sealed: sealedOf(row),
    events: events.get(record.id) ?? [],
    attached: attachedTo(record.id),
  };
}

type Attached = {
  readonly events: ReadonlyMap<string, readonly StoredEvent[]>;
  readonly attachedTo: (recordId: string) => RecordAttachments;
};

/** What hangs on records; lists have of it only redactions, expiries and traces. The statements travel together. */
async function readAttached(
  query: Query,
  workspaceId: string,
  ids: readonly string[],
  which: 'all' | 'for lists',
): Promise<Attached> {
  const tables = Object.entries(ATTACHMENTS as unknown as Readonly<Record<string, Table<{ record_id: string }>>>);
  const [events, ...attachments] = await Promise.all([
    readEvents(query, workspaceId, ids, which === 'all' ? 'all' : 'redacted'),
    ...tables.map(([kind, table]) =>
      readByRecord(query, workspaceId, which === 'all' || LISTED.has(kind) ? ids : [], table),
    ),
  ]);
  const attachedTo = (recordId: string) =>
    Object.fromEntries(
      tables.map(([kind], n) => [kind, attachments[n]?.get(recordId) ?? []]),
    ) as unknown as RecordAttachments;
  return { events, attachedTo };
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
    `select ${aliased('e', EVENTS)}, ${LEAF_SELECT}, ${SEALED_SELECT}, c.texts as c_texts
       from answer_evidence.lifecycle_events e
       join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = e.record_id and l.id = e.id
       left join answer_evidence.sealed_contents c on c.workspace_id = $1 and c.object_id = e.id
       where e.workspace_id = $1 and e.record_id = any($2::uuid[]) ${which === 'all' ? '' : `and e.event_type = 'redacted'`}
       order by e.record_id, e.sequence`,
    [workspaceId, recordIds],
  );
  for (const row of rows) {
    const event = { event: pick(row, 'e', EVENTS), leaf: leafOf(row), sealed: sealedOf(row) };
    const list = events.get(event.event.record_id);
    if (list === undefined) events.set(event.event.record_id, [event]);
    else list.push(event);
  }
  return events;
}
