import type pg from 'pg';
import type { MemberStore, StoredMember } from '@answer-evidence/ports';
import {
  type CredentialRow,
  CREDENTIALS,
  type MemberRow,
  MEMBERS,
  PROVIDER_LINKS,
  type ProviderLinkRow,
} from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import { aliased, select } from '../rows/rows.ts';
import { readWorkspace } from '../session.ts';

const SELECT = `select ${select('m', MEMBERS)},
    ${select('c', CREDENTIALS)}, ${aliased('p', PROVIDER_LINKS)}
  from answer_evidence.members m
  left join answer_evidence.member_credentials c on c.workspace_id = $1 and c.member_id = m.id
  left join answer_evidence.provider_links p on p.workspace_id = $1 and p.member_id = m.id
  where m.workspace_id = $1`;

type Joined = MemberRow & { readonly [Column in keyof CredentialRow]: CredentialRow[Column] | null } & {
  readonly [Column in keyof ProviderLinkRow as `p_${Column}`]: ProviderLinkRow[Column] | null;
};

/** Reads of members on PostgreSQL. */
export function createMemberStore(pool: pg.Pool): MemberStore {
  const read = (name: string, workspaceId: string, where: string, values: readonly unknown[]) =>
    readWorkspace(pool, workspaceId, async (query) =>
      (await query<Joined>(name, `${SELECT} ${where}`, [workspaceId, ...values])).map(storedMember),
    );
  return {
    all: (workspaceId) => read('members', workspaceId, 'order by m.username', []),
    list: (workspaceId, { after, offset, limit }) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [joined, counted] = await Promise.all([
          query<Joined>(
            'members_listed',
            `${SELECT} and ($2::text is null or m.username > $2) order by m.username offset $3 limit $4`,
            [workspaceId, after ?? null, offset, limit],
          ),
          countRows(query, 'members_counted', 'from answer_evidence.members where workspace_id = $1', [workspaceId]),
        ]);
        return { items: joined.map(storedMember), ...counted };
      }),
    lastUses: (workspaceId, memberIds) =>
      readWorkspace(pool, workspaceId, async (query) => {
        // A sign-in makes a token, so that the newest is of the last one.
        const rows = await query<{ id: string; at: number }>(
          'member_uses',
          `select t.user_id as id, max(greatest(t.created_at, coalesce(u.last_used_at, 0))) as at
             from answer_evidence.tokens t
             left join answer_evidence.token_uses u on u.workspace_id = $1 and u.token_id = t.id
             where t.workspace_id = $1 and t.user_id = any($2::uuid[]) group by 1`,
          [workspaceId, memberIds],
        );
        return new Map(rows.map(({ id, at }) => [id, at]));
      }),
    async find(workspaceId, memberId) {
      return (await read('member_by_id', workspaceId, 'and m.id = $2', [memberId]))[0];
    },
    async findByProvider(workspaceId, issuer, subject) {
      return (
        await read('member_by_provider', workspaceId, 'and p.issuer = $2 and p.subject = $3', [issuer, subject])
      )[0];
    },
    async findByName(workspaceId, username) {
      return (await read('member_by_name', workspaceId, 'and m.username = $2', [username]))[0];
    },
  };
}

function storedMember(joined: Joined): StoredMember {
  const { member_id, entry_id, password_hash, link_hash, link_expires_at, mac, ...rest } = joined;
  const { p_member_id, p_entry_id, p_issuer, p_subject, p_mac, ...row } = rest;
  const credential =
    member_id === null || entry_id === null || mac === null
      ? undefined
      : { member_id, entry_id, password_hash, link_hash, link_expires_at, mac };
  const provider =
    p_member_id === null || p_entry_id === null || p_issuer === null || p_subject === null || p_mac === null
      ? undefined
      : { member_id: p_member_id, entry_id: p_entry_id, issuer: p_issuer, subject: p_subject, mac: p_mac };
  return { row, credential, provider };
}
