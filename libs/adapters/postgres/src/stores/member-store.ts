import type pg from 'pg';
import type { MemberStore, StoredMember } from '@answer-evidence/ports';
import { type CredentialRow, CREDENTIALS, type MemberRow, MEMBERS } from '@answer-evidence/tables';
import { readWorkspace } from '../session.ts';
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
    list: (workspaceId) => read('members', workspaceId, 'order by m.username', []),
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
