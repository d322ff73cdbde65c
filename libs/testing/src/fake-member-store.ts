import type { MemberStore, StoredMember } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import { findPage, type OfWorkspace } from './fake-store.ts';

/** Reads of the members in memory. */
export function membersOver({ rows }: FakeDatabase): OfWorkspace<MemberStore> {
  const all = (): readonly StoredMember[] =>
    rows.members
      .map((row) => ({
        row,
        credential: rows.member_credentials.find(({ member_id: id }) => id === row.id),
        provider: rows.provider_links.find(({ member_id: id }) => id === row.id),
      }))
      .toSorted((a, b) => (a.row.username < b.row.username ? -1 : 1));
  return {
    all,
    list: ({ after, ...page }) => findPage(all(), page, ({ row }) => after === undefined || row.username > after),
    lastUses: (memberIds) =>
      new Map(
        rows.tokens.flatMap(({ user_id: id, created_at: at }) =>
          id === null || !memberIds.includes(id) ? [] : [[id, at]],
        ),
      ),
    find: (memberId) => all().find(({ row }) => row.id === memberId),
    findByProvider: (issuer, subject) =>
      all().find(({ provider }) => provider?.issuer === issuer && provider.subject === subject),
    findByName: (username) => all().find(({ row }) => row.username === username),
  };
}
