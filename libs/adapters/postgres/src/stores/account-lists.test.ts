import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareMember, prepareRevocation, prepareToken } from '../../fixtures/changes.ts';
import { explainStatements } from '../../fixtures/explain-statements.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { createAdministrationStore } from './administration-store.ts';
import { createApprovalStore } from './approval-store.ts';
import { createMemberStore } from './member-store.ts';

const NAMES = ['anna', 'bo', 'zoe'];
const TOKENS = ['first', 'second', 'third', 'fourth'];

let log: TestLog;
let userId: string;
beforeAll(async () => {
  log = await openTestLog();
  const ledger = log.openLedger();
  const { id: workspaceId } = log.workspace;
  for (const name of NAMES) await ledger.append(workspaceId, prepareMember(log, name));
  const ids = TOKENS.map(() => log.newId());
  for (const [n, name] of TOKENS.entries()) await ledger.append(workspaceId, prepareToken(log, name, ids[n] ?? ''));
  await ledger.append(workspaceId, prepareRevocation(log, ids[1] ?? ''));
  userId = (await createMemberStore(log.pool).findByName(workspaceId, 'mia'))?.row.id ?? '';
});
afterAll(() => log.close());

describe('the members of a workspace', () => {
  it('are read by name, in pages that go on after a name or are counted', async () => {
    const members = createMemberStore(log.pool);
    const namesOf = async (page: { readonly after?: string; readonly offset: number; readonly limit: number }) => {
      const { items, ...counted } = await members.list(log.workspace.id, page);
      return [items.map(({ row }) => row.username), counted];
    };
    const counted = { total: 4, totalIsExact: true };
    expect(await namesOf({ offset: 0, limit: 10 })).toEqual([['anna', 'bo', 'mia', 'zoe'], counted]);
    expect(await namesOf({ offset: 1, limit: 2 })).toEqual([['bo', 'mia'], counted]);
    expect(await namesOf({ after: 'bo', offset: 0, limit: 10 })).toEqual([['mia', 'zoe'], counted]);
    expect((await members.all(log.workspace.id)).map(({ row }) => row.username)).toEqual(['anna', 'bo', 'mia', 'zoe']);
  });
});

describe('who may approve', () => {
  it('is read with each change of a member, and needs no lock that an append takes', async () => {
    const { id: workspaceId } = log.workspace;
    const changedIn = async (since: number) => {
      const { members, changes } = await createApprovalStore(log.pool).approvers(workspaceId, since);
      const nameOf = (id: string) => members.find(({ row }) => row.id === id)?.row.username;
      return changes.map(({ memberId, changes: made }) => [nameOf(memberId), ...made]);
    };
    const appending = await log.owner.connect();
    try {
      await appending.query('begin');
      await appending.query('select from answer_evidence.ledger_heads for update');
      expect(await changedIn(0)).toEqual([
        ['mia', 'added'],
        ...NAMES.map((name) => [name, 'added', 'password_link_issued']),
      ]);
      expect(await changedIn(log.clock.nowMicros() + 90_000_000_000)).toEqual([]);
    } finally {
      await appending.query('rollback');
      appending.release();
    }
  });
});

describe('the tokens of a workspace', () => {
  it('are read newest first, those that are good apart from others, and in pages', async () => {
    const store = createAdministrationStore(log.pool);
    const page = { offset: 0, limit: 10 };
    const namesOf = async (...[tokens, asked = page]: [object, typeof page?]) =>
      (await store.listTokens(log.workspace.id, tokens, asked)).items.map(({ name }) => name);
    const all = await store.listTokens(log.workspace.id, {}, page);
    expect([all.items.map(({ name }) => name), all.total]).toEqual([TOKENS.toReversed(), 4]);
    // The clock stands still, and the log's own time a little later.
    const at = log.clock.nowMicros() + 1_000_000;
    expect(await namesOf({ status: { is: 'live', at } })).toEqual(['fourth', 'third', 'first']);
    expect(await namesOf({ status: { is: 'ended', at } })).toEqual(['second']);
    expect(await namesOf({ status: { is: 'live', at: at + 90_000_000_000 } })).toEqual([]);
    expect(await namesOf({ reach: { userId, applications: [] } })).toEqual([]);
    const [, second] = all.items;
    const after = { createdAt: second?.created_at ?? 0, id: second?.id ?? '' };
    expect(await namesOf({}, { ...page, ...{ after } })).toEqual(['second', 'first']);
    expect(await store.findTokenOf(log.workspace.id, after.id)).toMatchObject({ name: 'third' });
    expect(await store.tokensOfUser(log.workspace.id, userId)).toEqual([]);
  });

  it('are read from an index in their order, however many have ended', async () => {
    await log.owner.query(
      `insert into answer_evidence.tokens
         (workspace_id, id, kind, name, scopes_json, application_key, expires_at, created_at)
       select $1, gen_random_uuid(), 'application', 'ended ' || n, '[]', 'bot', n, n from generate_series(1, 20000) n`,
      [log.workspace.id],
    );
    await log.owner.query('analyze answer_evidence.tokens');
    const explained = await explainStatements(log, async (pool) => {
      const { items, total } = await createAdministrationStore(pool).listTokens(
        log.workspace.id,
        {},
        { offset: 0, limit: 51 },
      );
      expect([items.length, total]).toEqual([51, 10_000]);
    });
    const [listed] = explained;
    expect(listed?.nodes).toContain('Index Scan tokens_order');
    expect(listed?.pages).toBeLessThan(500);
  });
});
