import type pg from 'pg';
import type { MemberStore, StoredMember } from '@answer-evidence/ports';
import { type CredentialRow, CREDENTIALS, type MemberRow, MEMBERS } from '@answer-evidence/tables';
import { readWorkspace } from '../session.ts';
import { countRows } from './count-rows.ts';
import { select } from './rows.ts';

const SELECT = `select ${select('m', MEMBERS)},
    ${select('c', CREDENTIALS)}
  from answer_evidence.members m
  left join answer_evidence.member_credentials c on c.workspace_id = $1 and c.member_id = m.id
  where m.workspace_id = $1`;

type Joined = MemberRow & { readonly [Column in keyof CredentialRow]: CredentialRow[Column] | null };

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
    async find(workspaceId, memberId) {
      return (await read('member_by_id', workspaceId, 'and m.id = $2', [memberId]))[0];
    },
    async findByName(workspaceId, username) {
      return (await read('member_by_name', workspaceId, 'and m.username = $2', [username]))[0];
    },
  };
}

function storedMember(joined: Joined): StoredMember {
  const { member_id, entry_id, password_hash, link_hash, link_expires_at, mac, ...row } = joined;
  if (member_id === null || entry_id === null || mac === null) return { row, credential: undefined };
  return { row, credential: { member_id, entry_id, password_hash, link_hash, link_expires_at, mac } };
}
