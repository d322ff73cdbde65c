import type { ConsoleSession, ConsoleSessionStore } from '../console-sessions.ts';
import { assertKept, type ContractCase } from './contract-case.ts';

const MEMBER = '0199f3c2-0000-7000-8000-0000000000b1';
const NOBODY = '0199f3c2-0000-7000-8000-0000000000b2';

function sessionOf(n: number, memberId = MEMBER): ConsoleSession {
  return {
    key: new Uint8Array(32).fill(n),
    memberId,
    tokenId: '0199f3c2-0000-7000-8000-0000000000a1',
    salt: new Uint8Array(32).fill(255),
    role: 'manager',
    credentialEntryId: '0199f3c2-0000-7000-8000-0000000000c1',
    expiresAt: 1_000,
    usedAt: 100,
  };
}

/** What a store of sessions is proved on: two workspaces of it. */
export type ConsoleSessionsUnderTest = {
  readonly store: ConsoleSessionStore;
  readonly workspaceId: string;
  readonly otherWorkspaceId: string;
};

/** The promises of a store of sessions. Each case has keys of its own, so that they may share one. */
export const consoleSessionsContract: readonly ContractCase<ConsoleSessionsUnderTest>[] = [
  {
    guarantee: 'finds what was added, as it was, in its workspace alone',
    async prove({ store, workspaceId, otherWorkspaceId }) {
      const session = sessionOf(1);
      await store.add(workspaceId, session, 100, 0);
      const found = await store.find(workspaceId, session.key);
      assertKept(found?.memberId === MEMBER && found?.tokenId === session.tokenId, 'it must be there');
      assertKept(found?.expiresAt === 1_000 && found?.usedAt === 100 && found?.role === 'manager', 'as it was');
      assertKept(found?.salt.every((byte) => byte === 255) === true, 'its bytes too');
      assertKept(found?.credentialEntryId === session.credentialEntryId, 'and its password');
      assertKept((await store.find(otherWorkspaceId, session.key)) === undefined, 'nobody else may see it');
      assertKept((await store.find(workspaceId, sessionOf(2).key)) === undefined, 'another key is another one');
      await store.remove(otherWorkspaceId, [session.key]);
      assertKept((await store.find(workspaceId, session.key)) !== undefined, 'nobody else may remove it');
      await store.remove(workspaceId, [session.key]);
      assertKept((await store.find(workspaceId, session.key)) === undefined, 'its own workspace may');
    },
  },
  {
    guarantee: 'keeps the latest use',
    async prove({ store, workspaceId }) {
      const session = sessionOf(3);
      await store.add(workspaceId, session, 100, 0);
      await store.noteUse(workspaceId, session.key, 200);
      await store.noteUse(workspaceId, session.key, 150);
      assertKept((await store.find(workspaceId, session.key))?.usedAt === 200, 'a late note must change nothing');
    },
  },
  {
    guarantee: 'lists and removes those of one member',
    async prove({ store, workspaceId }) {
      const [mine, too, another] = [sessionOf(4, NOBODY), sessionOf(5, NOBODY), sessionOf(6)];
      for (const one of [mine, too, another]) await store.add(workspaceId, one, 100, 0);
      const own = await store.ofMember(workspaceId, NOBODY);
      assertKept(own.length === 2, 'both must be there');
      await store.remove(
        workspaceId,
        own.map(({ key }) => key),
      );
      assertKept((await store.ofMember(workspaceId, NOBODY)).length === 0, 'both must go');
      assertKept((await store.find(workspaceId, another.key)) !== undefined, 'no other may go');
    },
  },
  {
    guarantee: 'forgets what has expired or was not used for long, when another comes',
    async prove({ store, workspaceId }) {
      const [expired, unused, open] = [sessionOf(7), { ...sessionOf(8), expiresAt: 9_000 }, sessionOf(9)];
      for (const one of [expired, unused]) await store.add(workspaceId, one, 100, 0);
      await store.add(workspaceId, { ...open, expiresAt: 9_000, usedAt: 1_000 }, 1_000, 500);
      assertKept((await store.find(workspaceId, expired.key)) === undefined, 'the expired one must go');
      assertKept((await store.find(workspaceId, unused.key)) === undefined, 'the unused one must go');
      assertKept((await store.find(workspaceId, open.key)) !== undefined, 'the open one must stay');
    },
  },
];
