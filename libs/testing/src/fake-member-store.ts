import type { MemberStore, StoredMember } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';

/** Reads of the members in memory. */
export function createFakeMemberStore(database: FakeDatabase, workspaceId: string): MemberStore {
  const all = (asked: string): readonly StoredMember[] =>
    (asked === workspaceId ? database.rows.members : [])
      .map((row) => ({
        row,
        credential: database.rows.member_credentials.find(({ member_id: id }) => id === row.id),
        provider: database.rows.provider_links.find(({ member_id: id }) => id === row.id),
      }))
      .toSorted((a, b) => (a.row.username < b.row.username ? -1 : 1));
  return {
    all: (asked) => Promise.resolve(all(asked)),
    list(asked, { after, offset, limit }) {
      const from = all(asked).filter(({ row }) => after === undefined || row.username > after);
      return Promise.resolve({
        items: from.slice(offset, offset + limit),
        total: all(asked).length,
        totalIsExact: true,
      });
    },
    lastUses(asked, memberIds) {
      const own = asked === workspaceId ? database.rows.tokens : [];
      return Promise.resolve(
        new Map(
          own.flatMap(({ user_id: id, created_at: at }) => (id === null || !memberIds.includes(id) ? [] : [[id, at]])),
        ),
      );
    },
    find: (asked, memberId) => Promise.resolve(all(asked).find(({ row }) => row.id === memberId)),
    findByProvider: (asked, issuer, subject) =>
      Promise.resolve(all(asked).find(({ provider }) => provider?.issuer === issuer && provider.subject === subject)),
    findByName: (asked, username) => Promise.resolve(all(asked).find(({ row }) => row.username === username)),
  };
}
