import type pg from 'pg';
import type { Clock, StoredStream, StreamLease, StreamStore } from '@answer-evidence/ports';
import { STREAM_STATES, type StreamRow, STREAMS, type StreamStateRow } from '@answer-evidence/tables';
import { aliased, type JoinedRow, pick } from '../rows/rows.ts';
import { type Query, readWorkspace, writeWorkspace } from '../session.ts';
import { readPlaces } from './read-places.ts';

/** A time that is farther off was said by a clock that has been set back since. */
const [LEASE_MICROS_MAX, PAUSE_MICROS_MAX] = [300_000_000, 8 * 3_600_000_000];
/** What was confirmed within so long before a break may have been lost by a destination that does not confirm. */
const RESUME_MICROS = 60_000_000;

/** Of the workspace $1 at the time $2: the streams that have something to send and may. */
const IS_DUE = `s.workspace_id = $1 and s.state = 'active'
  and s.tree_size < (select h.tree_size from answer_evidence.ledger_heads h where h.workspace_id = $1)
  and (s.leased_until <= $2::bigint or s.leased_until > $2::bigint + ${LEASE_MICROS_MAX})
  and (s.paused_until <= $2::bigint or s.paused_until > $2::bigint + ${PAUSE_MICROS_MAX})`;

/** Streams on PostgreSQL. */
export function createStreamStore({ pool, clock }: { readonly pool: pg.Pool; readonly clock: Clock }): StreamStore {
  return {
    streams: (workspaceId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [streams, newest] = await Promise.all([
          readStreams(query, workspaceId, null),
          query<{ version: number | null }>(
            'streams_version',
            `select max(seq)::bigint as version from answer_evidence.workspace_entries
               where workspace_id = $1 and type = 'stream_changed'`,
            [workspaceId],
          ),
        ]);
        return { version: newest[0]?.version ?? 0, streams };
      }),
    findStream: async (workspaceId, streamId) =>
      (await readWorkspace(pool, workspaceId, (query) => readStreams(query, workspaceId, streamId)))[0],

    dueStreams: (workspaceId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<{ stream_id: string }>(
          'streams_due',
          `select s.stream_id from answer_evidence.stream_states s where ${IS_DUE} order by s.paused_until, s.stream_id`,
          [workspaceId, clock.nowMicros()],
        );
        return rows.map(({ stream_id: streamId }) => streamId);
      }),
    lease: (workspaceId, streamId, until) =>
      writeWorkspace(pool, workspaceId, async (query): Promise<StreamLease | undefined> => {
        const [leased] = await query<{ tree_size: number; failures: number }>(
          'stream_lease',
          `update answer_evidence.stream_states s set leased_until = $4
             where s.stream_id = $3 and ${IS_DUE} returning s.tree_size, s.failures`,
          [workspaceId, clock.nowMicros(), streamId, until],
        );
        if (leased === undefined) return undefined;
        const [stream] = await readStreams(query, workspaceId, streamId);
        return stream && { row: stream.row, until, treeSize: leased.tree_size, failures: leased.failures };
      }),
    readPlaces: (workspaceId, from, limit) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [head] = await query<{ tree_size: number }>(
          'stream_head',
          'select tree_size from answer_evidence.ledger_heads where workspace_id = $1',
          [workspaceId],
        );
        return readPlaces(query, workspaceId, from, Math.max(from, Math.min(from + limit, head?.tree_size ?? 0)));
      }),
    confirm: (workspaceId, lease, treeSize, until) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        const now = clock.nowMicros();
        const moved = await query(
          'stream_confirm',
          `update answer_evidence.stream_states set tree_size = $5, leased_until = $6, confirmed_at = $7,
               failing_since = null, failures = 0, last_error = null, paused_until = 0,
               resume_size = case when abs($7::bigint - resume_at) > ${RESUME_MICROS} then tree_size
                 else resume_size end,
               resume_at = case when abs($7::bigint - resume_at) > ${RESUME_MICROS} then $7 else resume_at end
             where workspace_id = $1 and stream_id = $2 and leased_until = $3 and tree_size = $4 and state = 'active'
             returning stream_id`,
          [workspaceId, lease.row.id, lease.until, lease.treeSize, treeSize, until, now],
        );
        return moved.length === 0 ? undefined : { ...lease, until, treeSize, failures: 0 };
      }),
    noteFailure: (workspaceId, lease, { error, pausedUntil, goesBack }) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await query(
          'stream_failure',
          `update answer_evidence.stream_states set failing_since = coalesce(failing_since, $4),
               failures = failures + 1, last_error = $5, paused_until = $6, leased_until = 0,
               tree_size = case when $7 and failures = 0 then least(tree_size, resume_size) else tree_size end
             where workspace_id = $1 and stream_id = $2 and leased_until = $3`,
          [workspaceId, lease.row.id, lease.until, clock.nowMicros(), error, pausedUntil, goesBack],
        );
      }),
    release: (workspaceId, lease, dueAt) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await query(
          'stream_release',
          `update answer_evidence.stream_states set leased_until = 0, paused_until = $4
             where workspace_id = $1 and stream_id = $2 and leased_until = $3`,
          [workspaceId, lease.row.id, lease.until, dueAt],
        );
      }),
    readBacklog: (workspaceId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [found] = await query<{ waiting: number; oldest_at: number | null; failing: number }>(
          'streams_backlog',
          `select coalesce(sum(h.tree_size - s.tree_size), 0)::bigint as waiting, min(l.at) as oldest_at,
               count(s.failing_since) as failing
             from answer_evidence.stream_states s
             join answer_evidence.ledger_heads h on h.workspace_id = $1
             left join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.leaf_index = s.tree_size
             where s.workspace_id = $1 and s.state = 'active'`,
          [workspaceId],
        );
        return {
          waiting: found?.waiting ?? 0,
          oldestAt: found?.oldest_at ?? undefined,
          failing: found?.failing ?? 0,
        };
      }),
  };
}

async function readStreams(
  query: Query,
  workspaceId: string,
  streamId: string | null,
): Promise<readonly StoredStream[]> {
  const rows = await query<JoinedRow & { waiting: number; oldest_at: number | null }>(
    'streams',
    `select ${aliased('t', STREAMS)}, ${aliased('s', STREAM_STATES)},
         greatest(h.tree_size - s.tree_size, 0) as waiting, l.at as oldest_at
       from answer_evidence.streams t
       join answer_evidence.stream_states s on s.workspace_id = $1 and s.stream_id = t.id
       join answer_evidence.ledger_heads h on h.workspace_id = $1
       left join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.leaf_index = s.tree_size
       where t.workspace_id = $1 and t.removed_at is null and ($2::uuid is null or t.id = $2)
       order by t.created_at, t.id`,
    [workspaceId, streamId],
  );
  return rows.map((row) => ({
    row: pick<StreamRow>(row, 't', STREAMS),
    state: pick<StreamStateRow>(row, 's', STREAM_STATES),
    waiting: row.waiting,
    oldestAt: row.oldest_at,
  }));
}
