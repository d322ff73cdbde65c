import type { MemberState } from '@answer-evidence/ledger';
import type { MemberRow } from '@answer-evidence/tables';
import type { Query } from '../session.ts';

type MemberFound = MemberRow & {
  readonly entry_id: string | null;
  readonly has_password: boolean;
  readonly provider_entry_id: string | null;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly tokens:
    | readonly { readonly id: string; readonly expires_at: number; readonly good_until: number | null }[]
    | null;
};

/** All members with their credentials, and their tokens that were good when the last leaf was made. */
export async function readMembers(query: Query, workspaceId: string): Promise<readonly MemberState[]> {
  const found = await query<MemberFound>(
    'find_members',
    `select m.id, m.username, m.role, m.access_json, m.role_source, m.created_at, m.disabled_at, m.removed_at, m.version,
             c.entry_id, c.password_hash is not null as has_password, t.tokens,
             p.entry_id as provider_entry_id, p.issuer, p.subject
        from answer_evidence.members m
        left join answer_evidence.member_credentials c on c.workspace_id = $1 and c.member_id = m.id
        left join answer_evidence.provider_links p on p.workspace_id = $1 and p.member_id = m.id
        left join (
          select user_id, json_agg(json_build_object('id', id, 'expires_at', expires_at, 'good_until', overlap_until)
              order by id) as tokens
            from answer_evidence.tokens,
              (select last_at from answer_evidence.ledger_heads where workspace_id = $1) head
            where workspace_id = $1 and user_id is not null and expires_at > last_at
              and (revoked_at is null or (overlap_until > last_at and cut_at is null))
            group by user_id) t on t.user_id = m.id
        where m.workspace_id = $1 order by m.id`,
    [workspaceId],
  );
  return found.map(memberState);
}

function memberState({
  entry_id: entryId,
  has_password: hasPassword,
  provider_entry_id: providerEntryId,
  issuer,
  subject,
  tokens,
  ...row
}: MemberFound): MemberState {
  return {
    row,
    credential: entryId === null ? undefined : { entryId, kind: hasPassword ? 'password' : 'link' },
    provider:
      providerEntryId === null || issuer === null || subject === null
        ? undefined
        : { entryId: providerEntryId, issuer, subject },
    tokens: (tokens ?? []).map(({ id, expires_at: expiresAt, good_until: goodUntil }) => ({
      id,
      expiresAt,
      ...(goodUntil === null ? {} : { goodUntil }),
    })),
  };
}
