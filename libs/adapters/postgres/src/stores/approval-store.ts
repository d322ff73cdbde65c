import type pg from 'pg';
import { approvalDecidedCore, approvalRequestedCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { type ApprovalStore, type StoredApproval, StoredDamageError } from '@answer-evidence/ports';
import { type ApprovalRow, APPROVALS } from '@answer-evidence/tables';
import { readApprovers } from '../append/read-approvals.ts';
import { countRows } from '../rows/count-rows.ts';
import { aliased, pick } from '../rows/rows.ts';
import { type Query, readWorkspace } from '../session.ts';

type Joined = Readonly<Record<string, unknown>> & {
  readonly asked_json: string | null;
  readonly decided_json: string | null;
  readonly decided_at: number | null;
};

/** The entry that asked, and the one that ended it with its time. */
const WITH_ENTRIES = `left join lateral (select x.core_json from answer_evidence.workspace_entries x
    where x.workspace_id = $1 and x.id = a.id offset 0) w on true
  left join lateral (select x.core_json, x.leaf_index from answer_evidence.workspace_entries x
    where x.workspace_id = $1 and x.id = a.decision_id offset 0) d on true
  left join lateral (select x.at from answer_evidence.ledger_leaves x
    where x.workspace_id = $1 and x.leaf_index = d.leaf_index offset 0) l on true`;
const SELECT = `select ${aliased('a', APPROVALS)}, w.core_json as asked_json, d.core_json as decided_json, l.at as decided_at`;

/** `$2` is the state or null, `$3` the time. */
const IN_STATE = `a.workspace_id = $1 and ($2::text is null or $2 =
  case when a.state = 'open' and a.expires_at <= $3::bigint then 'expired'
    when a.state = 'used' then 'approved' else a.state end)`;

/** Requests for a second person on PostgreSQL. */
export function createApprovalStore(pool: pg.Pool): ApprovalStore {
  return {
    list: (workspaceId, { state = null, nowMicros }, { before = null, offset, limit }) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [items, counted] = await Promise.all([
          read(
            query,
            'approvals_listed',
            `(select * from answer_evidence.approvals a where ${IN_STATE} and ($4::bigint is null or a.requested_at < $4)
               order by a.requested_at desc offset $5 limit $6) a ${WITH_ENTRIES} order by a.requested_at desc`,
            [workspaceId, state, nowMicros, before, offset, limit],
          ),
          countRows(query, 'approvals_counted', `from answer_evidence.approvals a where ${IN_STATE}`, [
            workspaceId,
            state,
            nowMicros,
          ]),
        ]);
        return { items, ...counted };
      }),
    find: (workspaceId, approvalId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const found = await read(
          query,
          'approval_by_id',
          `answer_evidence.approvals a ${WITH_ENTRIES} where a.workspace_id = $1 and a.id = $2`,
          [workspaceId, approvalId],
        );
        return found[0];
      }),
    overdue: (workspaceId, nowMicros, limit) =>
      readWorkspace(pool, workspaceId, (query) =>
        read(
          query,
          'approvals_overdue',
          `(select * from answer_evidence.approvals a where a.workspace_id = $1 and a.state = 'open' and a.expires_at <= $2
             order by a.expires_at limit $3) a ${WITH_ENTRIES} order by a.expires_at`,
          [workspaceId, nowMicros, limit],
        ),
      ),
    approvers: (workspaceId, changesSince) =>
      readWorkspace(pool, workspaceId, (query) => readApprovers(query, workspaceId, changesSince)),
  };
}

async function read(
  query: Query,
  name: string,
  from: string,
  values: readonly unknown[],
): Promise<readonly StoredApproval[]> {
  const rows = await query<Joined>(name, `${SELECT} from ${from}`, values);
  return rows.map((joined) => {
    const row: ApprovalRow = pick(joined, 'a', APPROVALS);
    const { asked_json: asked, decided_json: decided, decided_at: at } = joined;
    if (asked === null || (row.decision_id !== null && (decided === null || at === null)))
      throw new StoredDamageError('a request for a second person has lost an entry');
    return {
      row,
      asked: approvalRequestedCore.parse(parseJsonText(asked)),
      decided:
        decided === null || at === null ? undefined : { core: approvalDecidedCore.parse(parseJsonText(decided)), at },
    };
  });
}
