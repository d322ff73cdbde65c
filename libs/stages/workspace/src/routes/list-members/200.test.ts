import { describe, expect, it } from '@jest/globals';
import { memberList } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember, addWithPassword } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/members', () => {
  it('lists everybody by name, with how they sign in, also those who were removed', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await addWithPassword(stage, 'anna', 'manager');
    await addMember(stage, 'zoe');
    const gone = await addMember(stage, 'gone');
    await stage.call('DELETE', `/api/members/${gone.id}`, { as: stage.manager });
    const reply = await stage.call('GET', '/api/members', { as: stage.manager });
    const { items } = reply.body as {
      items: { username: string; role: string; sign_in: string; removed_at: unknown }[];
    };
    expect(items.map(({ username, role, sign_in }) => [username, role, sign_in])).toEqual([
      ['anna', 'manager', 'password'],
      ['gone', 'member', 'none'],
      ['max', 'member', 'none'],
      ['mia', 'manager', 'none'],
      ['zoe', 'member', 'link'],
    ]);
    expect(items.filter(({ removed_at }) => removed_at !== null).map(({ username }) => username)).toEqual(['gone']);
  });

  it('shows nothing of passwords and links', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const made = await addMember(stage, 'zoe');
    await addWithPassword(stage, 'anna');
    const text = JSON.stringify(await stage.call('GET', '/api/members', { as: stage.manager }));
    for (const secret of [made.password_link?.secret ?? '', 'fake:', 'hash']) expect(text).not.toContain(secret);
  });

  it('goes on by pages and by cursor, and shows each member once', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    for (const name of ['anna', 'bo', 'zoe']) await addMember(stage, name);
    const list = async (query: Record<string, string>) =>
      memberList.parse((await stage.call('GET', '/api/members', { as: stage.manager, query })).body);
    const all = await list({});
    expect([all.page, all.size, all.total, all.next_cursor]).toEqual([1, 50, 5, null]);
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
});
