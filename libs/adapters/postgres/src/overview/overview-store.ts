import type pg from 'pg';
import * as z from 'zod';
import { APPROVAL_ACTS } from '@answer-evidence/contracts';
import { MICROS_PER_DAY, parseJsonText } from '@answer-evidence/encoding';
import {
  type FailingStream,
  type OverviewStore,
  StoredDamageError,
  type Waiting,
  type WaitingApproval,
} from '@answer-evidence/ports';
import { type Query, readWorkspace, writeRows } from '../session.ts';
import { HOLDS_IN_FORCE } from '../stores/hold-store.ts';
import { countMore } from './count-log.ts';
import { readCounts, readOpenFindings, readOverdueFindings } from './read-counts.ts';

const COUNT_MAX = 10_000;
/** What ends within a quarter of its life, and within this, ends soon. */
const SOON_MICROS = 7 * MICROS_PER_DAY;
/** Tokens of users that live no longer are sign-ins, which end every day. */
const SIGN_IN_MICROS = 2 * MICROS_PER_DAY;
const SEEN_MICROS = 7 * MICROS_PER_DAY;
/** A stream that failed fewer times in a row has met a pause of its destination. */
const STREAM_FAILURES_MIN = 3;
const HOLDS = z.array(z.strictObject({ what: z.enum(['texts', 'evidence', 'triage']), due: z.int() }));

/** The overview over connections of the service's role. */
export function createOverviewStore(pool: pg.Pool): OverviewStore {
  return {
    countMore: (workspaceId, nowMicros) => countMore(pool, workspaceId, nowMicros),
    noteHolds: (workspaceId, holds) =>
      writeRows(
        pool,
        'counted_holds',
        `update answer_evidence.counted_logs set holds_json = $2 where workspace_id = $1 and holds_json <> $2`,
        [workspaceId, JSON.stringify(holds)],
      ),
    read: (workspaceId, { days, nowMicros, namedMax }) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [
          place,
          counts,
          open,
          overdue,
          deadLetters,
          refused,
          unattached,
          streams,
          approvals,
          holds,
          tokens,
          links,
          due,
        ] = await Promise.all([
          query<{ tree_size: number; counted: number | null; counted_at: number | null; holds_json: string | null }>(
            'overview_place',
            `select h.tree_size, c.tree_size as counted, c.counted_at, c.holds_json from answer_evidence.ledger_heads h
               left join answer_evidence.counted_logs c on c.workspace_id = $1 where h.workspace_id = $1`,
            [workspaceId],
          ),
          readCounts(query, workspaceId, days),
          readOpenFindings(query, workspaceId),
          readOverdueFindings(query, workspaceId, nowMicros),
          countWaiting(
            query,
            `select 1 as items, failed_at as at from answer_evidence.dead_letters
               where workspace_id = $1 and replayed_at is null`,
            [workspaceId],
          ),
          countWaiting(
            query,
            `select item_count as items, first_seen_at as at from answer_evidence.otlp_left_out
               where workspace_id = $1 and reason = 'refused' and last_seen_at >= $2`,
            [workspaceId, nowMicros - SEEN_MICROS],
          ),
          countWaiting(
            query,
            'select 1 as items, unattached_at as at from answer_evidence.otlp_unattached where workspace_id = $1',
            [workspaceId],
          ),
          readFailingStreams(query, workspaceId, namedMax),
          readWaitingApprovals(query, workspaceId, nowMicros),
          countWaiting(query, HOLDS_IN_FORCE, [workspaceId]),
          readEndingTokens(query, workspaceId, nowMicros, namedMax),
          query<{ id: string; name: string; ends_at: number }>(
            'overview_links',
            `select m.id, m.username as name, c.link_expires_at as ends_at from answer_evidence.members m
               join answer_evidence.member_credentials c on c.workspace_id = $1 and c.member_id = m.id
               where m.workspace_id = $1 and m.removed_at is null and m.disabled_at is null
                 and c.link_expires_at between $2 and $3
               order by c.link_expires_at, m.id limit $4`,
            [workspaceId, nowMicros, nowMicros + SIGN_IN_MICROS, namedMax],
          ),
          query<{ due: number }>(
            'overview_due',
            `select count(*) as due from (select 1 from answer_evidence.sealed_contents
               where workspace_id = $1 and due_at < $2 limit ${COUNT_MAX + 1}) d`,
            [workspaceId, nowMicros + SEEN_MICROS],
          ),
        ]);
        const [head] = place;
        return {
          counted:
            head === undefined || head.counted === null || head.counted_at === null || head.counted_at === 0
              ? undefined
              : {
                  at: head.counted_at,
                  treeSize: head.counted,
                  holds: HOLDS.parse(parseJsonText(head.holds_json ?? '[]')),
                },
          treeSize: head?.tree_size ?? 0,
          ...{ counts, open, overdue, deadLetters, refused, unattached, streams, approvals, holds, tokens, links },
          textsDue: due[0]?.due ?? 0,
        };
      }),
  };
}

/** How many items the rows stand for, of at most 10,000 rows, and the time of the oldest. */
async function countWaiting(query: Query, rows: string, values: readonly unknown[]): Promise<Waiting> {
  const [found] = await query<{ items: number; oldest: number | null }>(
    '',
    `select coalesce(sum(items), 0)::bigint as items, min(at) as oldest from (${rows} limit ${COUNT_MAX}) w`,
    values,
  );
  return { count: found?.items ?? 0, oldestAt: found?.oldest ?? undefined };
}

function readFailingStreams(query: Query, workspaceId: string, namedMax: number) {
  return query<FailingStream>(
    'overview_streams',
    `select t.id, t.name, s.failing_since, greatest(h.tree_size - s.tree_size, 0) as waiting
       from answer_evidence.stream_states s
       join answer_evidence.streams t on t.workspace_id = $1 and t.id = s.stream_id and t.removed_at is null
       join answer_evidence.ledger_heads h on h.workspace_id = $1
       where s.workspace_id = $1 and s.state = 'active' and s.failing_since is not null
         and s.failures >= ${STREAM_FAILURES_MIN}
       order by s.failing_since, t.id limit $2`,
    [workspaceId, namedMax],
  );
}

/** At most as many as may be open at once. Throws `StoredDamageError` for an act that nobody can ask for. */
async function readWaitingApprovals(query: Query, workspaceId: string, nowMicros: number) {
  const found = await query<WaitingApproval>(
    'overview_approvals',
    `select act, requested_by, requested_at, expires_at from answer_evidence.approvals
       where workspace_id = $1 and state = 'open' and expires_at > $2 order by requested_at`,
    [workspaceId, nowMicros],
  );
  if (!found.every(({ act }) => APPROVAL_ACTS.includes(act)))
    throw new StoredDamageError('a request for a second person is not what was written');
  return found;
}

function readEndingTokens(query: Query, workspaceId: string, nowMicros: number, namedMax: number) {
  return query<Awaited<ReturnType<OverviewStore['read']>>['tokens'][number]>(
    'overview_tokens',
    `select t.id, t.name, t.expires_at as ends_at, t.application_key, t.user_id, u.last_used_at
       from answer_evidence.tokens t
       left join answer_evidence.token_uses u on u.workspace_id = $1 and u.token_id = t.id
       where t.workspace_id = $1 and t.revoked_at is null and t.expires_at > $2
         and t.expires_at - $2 < least($3::bigint, (t.expires_at - t.created_at) / 4)
         and (t.kind = 'application' or t.expires_at - t.created_at > $4)
       order by t.expires_at, t.id limit $5`,
    [workspaceId, nowMicros, SOON_MICROS, SIGN_IN_MICROS, namedMax],
  );
}
