import type pg from 'pg';
import { APPROVALS_OPEN_MAX, type StoredApprovalState } from '@answer-evidence/contracts';
import { memberChangeOf } from '@answer-evidence/ledger';
import type { Approvers } from '@answer-evidence/ports';
import type { Query } from '../session.ts';
import { readMembers } from './read-members.ts';

/** A request for a second person as it is read under the lock, if it is there, and how many of all are open. */
export type ApprovalFound = { readonly id: string; readonly state: StoredApprovalState | null; readonly open: number };

/** The core of an entry, and when it was made. */
type EntryFound = { readonly core_json: string; readonly at: number };

/** A row for each id, whether or not it is there. */
export function queryApprovals(
  client: pg.ClientBase,
  workspaceId: string,
  ids: readonly string[],
): Promise<pg.QueryResult<ApprovalFound>> {
  return client.query<ApprovalFound>({
    name: 'find_approvals',
    text: `select asked.id, a.state, o.open
      from unnest($2::uuid[]) as asked (id)
      left join lateral (select x.state from answer_evidence.approvals x
        where x.workspace_id = $1 and x.id = asked.id offset 0) a on true
      cross join lateral (select count(*) as open from (select from answer_evidence.approvals x
        where x.workspace_id = $1 and x.state = 'open' and x.expires_at >= 0 order by x.expires_at limit $3) x) o`,
    values: [workspaceId, ids, APPROVALS_OPEN_MAX],
  });
}

/** The entries of a type from this time on, in microseconds: the statement is a literal of its own for each type. */
export function readEntriesSince(
  query: Query,
  workspaceId: string,
  type: 'member_changed' | 'export_made',
  since: number,
): Promise<readonly EntryFound[]> {
  return query<EntryFound>(
    `find_since_${type}`,
    `select w.core_json, l.at
      from (select x.core_json, x.leaf_index from answer_evidence.workspace_entries x
        where x.workspace_id = $1 and x.type = '${type}'
          and x.leaf_index >= (select answer_evidence.first_leaf_at($1, $2,
            (select tree_size from answer_evidence.ledger_heads where workspace_id = $1)))
        order by x.leaf_index offset 0) w
      cross join lateral (select x.at from answer_evidence.ledger_leaves x
        where x.workspace_id = $1 and x.leaf_index = w.leaf_index offset 0) l`,
    [workspaceId, since],
  );
}

/** Who could approve now, by what: all members, and how they were changed from this time on. */
export async function readApprovers(query: Query, workspaceId: string, since: number): Promise<Approvers> {
  const [members, changes] = await Promise.all([
    readMembers(query, workspaceId),
    readMemberChanges(query, workspaceId, since),
  ]);
  return { members, changes };
}

/** The changes of members from this time on, in their order. */
export async function readMemberChanges(query: Query, workspaceId: string, since: number) {
  const found = await readEntriesSince(query, workspaceId, 'member_changed', since);
  return found.map(({ core_json: json, at }) => memberChangeOf(json, at));
}
