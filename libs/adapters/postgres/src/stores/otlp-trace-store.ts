import type pg from 'pg';
import { type ArrivedTrace, type OtlpTraceStore, TRACE_AGE_MICROS_MAX, TRACE_BYTES_MAX } from '@answer-evidence/ports';
import { OTLP_TRACE_PARTS, OTLP_TRACES, type OtlpTracePartRow, type OtlpTraceRow } from '@answer-evidence/tables';
import { formatInserts, type Statement } from '../append/insert-rows.ts';
import { select } from '../rows/rows.ts';
import { readRow, readRows, writeRows, writeWorkspace } from '../session.ts';
import { writeRoutedItems } from './write-routed-items.ts';

/** Most traces that are decided together: as many records as two transactions of the log take. */
const DUE_MAX = 512;
/** The order in which every transaction locks traces, that of their bytes: none waits for one that waits for it. */
const BY_NAME = `t.application_key collate "C", t.trace_id collate "C"`;

/** Traces that are decided together. */
export function createOtlpTraceStore(pool: pg.Pool): OtlpTraceStore {
  return {
    async findTraces(workspaceId, names) {
      if (names.length === 0) return [];
      const keys = [...new Set(names.map(({ applicationKey }) => applicationKey))];
      const places = new Map(keys.map((key, n) => [key, n + 1]));
      // Thousands of ids go as one text: the elements of an array are escaped one by one.
      const rows = await readRows<{ application_key: string; trace_id: string }>(
        pool,
        'otlp_traces',
        `select t.application_key, t.trace_id
           from unnest(string_to_array($3, ' ')::int[], string_to_array($4, ' ')) as asked (place, trace_id)
           join answer_evidence.otlp_traces t on t.workspace_id = $1
             and t.application_key = ($2::text[])[asked.place] and t.trace_id = asked.trace_id`,
        [
          workspaceId,
          keys,
          names.map(({ applicationKey }) => places.get(applicationKey)).join(' '),
          names.map(({ traceId }) => traceId).join(' '),
        ],
      );
      return rows.map((row) => ({ applicationKey: row.application_key, traceId: row.trace_id }));
    },

    async traceUsage(workspaceId) {
      const row = await readRow<{ count: number; size: number }>(
        pool,
        'otlp_trace_usage',
        `select count(*) as count, coalesce(sum(t.size_bytes), 0)::bigint as size
           from answer_evidence.otlp_traces t where t.workspace_id = $1 and t.is_open`,
        [workspaceId],
      );
      return { count: row?.count ?? 0, sizeBytes: row?.size ?? 0 };
    },

    pullInTraces: (workspaceId, now, waitMicros) =>
      writeRows(
        pool,
        'otlp_pull_in_traces',
        `with late as (
             select t.application_key, t.trace_id from answer_evidence.otlp_traces t
               where t.workspace_id = $1 and t.is_open and t.due_at > $2::bigint + $3::bigint
               order by ${BY_NAME} for update
           )
           update answer_evidence.otlp_traces t
             set received_at = least(t.received_at, $2::bigint), due_at = $2::bigint + $3::bigint
             from late where t.workspace_id = $1 and t.application_key = late.application_key
               and t.trace_id = late.trace_id`,
        [workspaceId, now, waitMicros],
      ),

    findDueTraces: (workspaceId, now, bytesMax) =>
      readRows<OtlpTraceRow>(
        pool,
        'otlp_due_traces',
        `with due as (
             select * from answer_evidence.otlp_traces t
               where t.workspace_id = $1 and t.due_at <= $2 order by t.due_at, t.application_key, t.trace_id limit $3
           ), summed as (
             select *, sum(size_bytes) over (order by due_at, application_key, trace_id) - size_bytes as before from due
           )
           select ${select('s', OTLP_TRACES)} from summed s where s.before < $4`,
        [workspaceId, now, DUE_MAX, bytesMax],
      ),

    findTraceParts: (workspaceId, traces, bytesMax) =>
      readRows<OtlpTracePartRow>(
        pool,
        'otlp_trace_parts',
        `with summed as (
             select p.id, octet_length(p.items) as size, sum(octet_length(p.items)) over (
                 partition by p.application_key, p.trace_id order by p.is_open desc, p.received_at, p.id) as sum
               from unnest($2::text[], $3::text[]) as asked (application_key, trace_id)
               join answer_evidence.otlp_trace_parts p on p.workspace_id = $1
                 and p.application_key = asked.application_key and p.trace_id = asked.trace_id
           )
           select ${select('p', OTLP_TRACE_PARTS)} from summed s
             join answer_evidence.otlp_trace_parts p on p.workspace_id = $1 and p.id = s.id
             where s.sum - s.size < $4 order by p.received_at, p.id`,
        [workspaceId, ...namesOf(traces), bytesMax],
      ),

    finishTraces: (workspaceId, decided, routed, partsKeptSince) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await query(
          'otlp_lock_traces',
          `select from unnest($2::text[], $3::text[]) as s (application_key, trace_id)
             join answer_evidence.otlp_traces t on t.workspace_id = $1
               and t.application_key = s.application_key and t.trace_id = s.trace_id
             order by ${BY_NAME} for update of t`,
          [workspaceId, ...namesOf(decided.map(({ trace }) => trace))],
        );
        await writeRoutedItems(query, workspaceId, routed);
        for (const part of decided.flatMap(({ parts }) => parts))
          await query(
            'otlp_finish_part',
            `update answer_evidence.otlp_trace_parts set is_open = $3, wrapped_key = $4, items = $5
               where workspace_id = $1 and id = $2 and is_open`,
            [workspaceId, part.id, part.is_open, part.wrapped_key, part.items],
          );
        await query(
          'otlp_forget_parts',
          `delete from answer_evidence.otlp_trace_parts p
             using unnest($2::text[], $3::text[]) as s (application_key, trace_id)
             where p.workspace_id = $1 and p.application_key = s.application_key and p.trace_id = s.trace_id
               and not p.is_open and p.received_at < $4`,
          [workspaceId, ...namesOf(decided.map(({ trace }) => trace)), partsKeptSince],
        );
        await query(
          'otlp_finish_traces',
          `update answer_evidence.otlp_traces t
             set is_open = f.is_open, size_bytes = f.size_bytes,
                 due_at = case when f.is_open then f.due_at else f.forgotten_at end
             from (
               select s.*, exists (select from answer_evidence.otlp_trace_parts p
                   where p.workspace_id = $1 and p.application_key = s.application_key and p.trace_id = s.trace_id
                     and p.is_open) as is_open,
                   (select coalesce(sum(octet_length(p.items)), 0) from answer_evidence.otlp_trace_parts p
                     where p.workspace_id = $1 and p.application_key = s.application_key and p.trace_id = s.trace_id
                   ) as size_bytes
                 from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
                   as s (application_key, trace_id, received_at, due_at, forgotten_at)
             ) f
             where t.workspace_id = $1 and t.application_key = f.application_key and t.trace_id = f.trace_id
               and t.received_at = f.received_at`,
          [
            workspaceId,
            ...namesOf(decided.map(({ trace }) => trace)),
            decided.map(({ trace }) => trace.received_at),
            decided.map(({ dueAt }) => dueAt),
            decided.map(({ forgottenAt }) => forgottenAt),
          ],
        );
      }),

    forgetTraces: (workspaceId, traces) =>
      writeRows(
        pool,
        'otlp_forget_traces',
        `with locked as (
             select t.application_key, t.trace_id
               from unnest($2::text[], $3::text[], $4::bigint[]) as s (application_key, trace_id, received_at)
               join answer_evidence.otlp_traces t on t.workspace_id = $1
                 and t.application_key = s.application_key and t.trace_id = s.trace_id
                 and t.received_at = s.received_at and not t.is_open
               order by ${BY_NAME} for update of t
           ), gone as (
             delete from answer_evidence.otlp_traces t using locked
               where t.workspace_id = $1 and t.application_key = locked.application_key
                 and t.trace_id = locked.trace_id
               returning t.application_key, t.trace_id
           )
           delete from answer_evidence.otlp_trace_parts p using gone
             where p.workspace_id = $1 and p.application_key = gone.application_key and p.trace_id = gone.trace_id`,
        [workspaceId, ...namesOf(traces), traces.map((trace) => trace.received_at)],
      ),
  };
}

function namesOf(traces: readonly OtlpTraceRow[]): readonly [applications: string[], traces: string[]] {
  return [traces.map((trace) => trace.application_key), traces.map((trace) => trace.trace_id)];
}

/**
 * A trace that gets more is open from then on, and due when the newest of it says, or before that: at once when it is
 * too large, and a day after it was opened.
 */
const MORE_OF_A_TRACE = `on conflict (workspace_id, application_key, trace_id) do update set
  is_open = otlp_traces.is_open or excluded.is_open,
  received_at = greatest(otlp_traces.received_at + 1, excluded.received_at),
  size_bytes = otlp_traces.size_bytes + excluded.size_bytes,
  due_at = case
    when otlp_traces.is_open and (otlp_traces.due_at = 0 or not excluded.is_open) then otlp_traces.due_at
    when excluded.is_open and otlp_traces.size_bytes + excluded.size_bytes > ${TRACE_BYTES_MAX} then 0
    when excluded.is_open and otlp_traces.is_open
      then least(excluded.due_at, otlp_traces.opened_at + ${TRACE_AGE_MICROS_MAX})
    else excluded.due_at end`;

/** The statements that keep parts of traces, which are locked in the order of `BY_NAME`. */
export function formatArrivals(workspaceId: string, arrived: readonly ArrivedTrace[]): readonly Statement[] {
  const sorted = arrived.toSorted(({ trace: a }, { trace: b }) => {
    return compareBytes(a.application_key, b.application_key) || compareBytes(a.trace_id, b.trace_id);
  });
  return [
    ...formatInserts(
      OTLP_TRACES,
      workspaceId,
      sorted.map(({ trace }) => trace),
    ).map((statement) => extend(statement, MORE_OF_A_TRACE)),
    // One row a statement: each may be megabytes.
    ...sorted
      .flatMap(({ part }) => formatInserts(OTLP_TRACE_PARTS, workspaceId, [part]))
      .map((statement) => extend(statement, 'on conflict do nothing')),
  ];
}

function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The statement with a clause at its end. Of values, booleans have no form of their own on the wire. */
function extend({ name, text, values }: Statement, clause: string): Statement {
  return {
    name: `${name}_or_more`,
    text: `${text} ${clause}`,
    values: values.map((value) => (typeof value === 'boolean' ? String(value) : value)),
  };
}
