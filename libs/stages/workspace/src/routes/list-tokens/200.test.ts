import { describe, expect, it } from '@jest/globals';
import { issuedToken, tokenList } from '@answer-evidence/contracts';
import { createFakeStage, type FakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const TOKENS = '/api/tokens';
const FOR_BOT = { name: 'bot', kind: 'application', application_key: 'bot', scopes: ['answer_audit:read'] };

async function issueThree(stage: FakeStage) {
  const { call, manager, member } = stage;
  const replies = [
    await call('POST', TOKENS, { as: manager, body: { name: 'of the manager', kind: 'user' } }),
    await call('POST', TOKENS, { as: member, body: { name: 'of the member', kind: 'user' } }),
    await call('POST', TOKENS, { as: manager, body: FOR_BOT }),
  ];
  return replies.map(({ body }) => issuedToken.parse(body));
}

describe('GET /api/tokens', () => {
  it('shows a manager every token, as it was issued', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const issued = await issueThree(stage);
    const { items } = tokenList.parse((await stage.call('GET', TOKENS, { as: stage.manager })).body);
    expect(items).toEqual(issued.map(({ token: _, ...summary }) => summary).reverse());
  });

  it('shows a member their own tokens and no others', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await issueThree(stage);
    const { items } = tokenList.parse((await stage.call('GET', TOKENS, { as: stage.member })).body);
    expect(items.map(({ name }) => name)).toEqual(['of the member']);
  });

  it('never shows a token or the hash of its secret', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const issued = await issueThree(stage);
    const shown = JSON.stringify(await stage.call('GET', TOKENS, { as: stage.manager }));
    for (const { token } of issued) expect(shown).not.toContain(token);
    expect(shown).not.toContain('secret');
  });

  it('shows when a token was revoked', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const [mine] = await issueThree(stage);
    await stage.call('DELETE', `${TOKENS}/${mine?.id}`, { as: stage.manager });
    const { items } = tokenList.parse((await stage.call('GET', TOKENS, { as: stage.manager })).body);
    const revoked = items.filter((item) => item.revoked_at !== null);
    expect(revoked.map(({ id }) => id)).toEqual([mine?.id]);
  });

  it('goes on by pages and by cursor, shows each token once, and says how many there are', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    for (let n = 0; n < 5; n++)
      await stage.call('POST', TOKENS, { as: stage.manager, body: { name: `t${n}`, kind: 'user' } });
    const list = async (query: Record<string, string>) =>
      tokenList.parse((await stage.call('GET', TOKENS, { as: stage.manager, query })).body);
    const all = await list({});
    expect([all.page, all.size, all.total, all.next_cursor]).toEqual([1, 50, 5, null]);
    expect(all.items.map(({ name }) => name)).toEqual(['t4', 't3', 't2', 't1', 't0']);
    const paged = [];
    for (const page of ['1', '2', '3']) paged.push(...(await list({ size: '2', page })).items);
    expect(paged).toEqual(all.items);
    const followed = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const found = await list({ size: '2', ...(cursor === undefined ? {} : { cursor }) });
      followed.push(...found.items);
      cursor = found.next_cursor;
    }
    expect(followed).toEqual(all.items);
  });

  it('shows those that are good, or those that are not, as asked; what is in its overlap is good', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const [mine, theirs, bot] = await issueThree(stage);
    await stage.call('DELETE', `${TOKENS}/${mine?.id}`, { as: stage.manager });
    await stage.call('POST', `${TOKENS}/${bot?.id}/rotate`, { as: stage.manager, body: { overlap_seconds: 600 } });
    const namesOf = async (status: string, as = stage.manager) => {
      const { items } = tokenList.parse((await stage.call('GET', TOKENS, { as, query: { status } })).body);
      return items.map(({ name }) => name);
    };
    expect(await namesOf('ended')).toEqual(['of the manager']);
    expect(await namesOf('live')).toEqual(['bot', 'bot', 'of the member']);
    expect(await namesOf('live', stage.member)).toEqual(['of the member']);
    const expired = stage.database.rows.tokens.find(({ id }) => id === theirs?.id);
    stage.database.rows.tokens = stage.database.rows.tokens.map((row) =>
      row === expired ? { ...row, expires_at: row.created_at } : row,
    );
    expect(await namesOf('ended')).toEqual(['of the member', 'of the manager']);
    expect((await stage.call('GET', TOKENS, { as: stage.manager, query: { status: 'gone' } })).status).toBe(422);
  });

  it('refuses a cursor of another filter, and of what a manager sees to a member', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await issueThree(stage);
    const page = await stage.call('GET', TOKENS, { as: stage.manager, query: { size: '1' } });
    const cursor = tokenList.parse(page.body).next_cursor ?? '';
    for (const [as, query] of [
      [stage.manager, { cursor, status: 'live' }],
      [stage.member, { cursor }],
    ] as const)
      expect(await stage.call('GET', TOKENS, { as, query })).toMatchObject({ status: 422, code: 'cursor_not_valid' });
  });
});
